"""The words of the API: namespace, record types, routing policies, and the fixed answers."""

from typing import Any

Doc = dict[str, Any]  # an XML structure: element name -> text, number, flag, list or structure

XMLNS = "https://route53.amazonaws.com/doc/2013-04-01/"
ENDPOINT = "https://route53.amazonaws.com/2013-04-01"
VERSION = "2013-04-01"
NAME_SERVERS = [
    "ns-2048.awsdns-64.com",
    "ns-2049.awsdns-65.net",
    "ns-2050.awsdns-66.org",
    "ns-2051.awsdns-67.co.uk",
]
RECORD_TYPES = [
    "SOA",
    "A",
    "TXT",
    "NS",
    "CNAME",
    "MX",
    "NAPTR",
    "PTR",
    "SRV",
    "SPF",
    "AAAA",
    "CAA",
    "DS",
    "TLSA",
    "SSHFP",
    "SVCB",
    "HTTPS",
]
POLICIES = {  # the element that chooses a routing policy, and the policy's name
    "Weight": "weighted",
    "Region": "latency",
    "GeoLocation": "geolocation",
    "Failover": "failover",
    "MultiValueAnswer": "multivalue",
}
ENDPOINT_TYPES = ["HTTP", "HTTPS", "HTTP_STR_MATCH", "HTTPS_STR_MATCH", "TCP"]
