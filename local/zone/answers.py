"""HTTP answers: the documents of operations, errors as the service puts them, and JSON."""

import json
import uuid
from typing import Any

from local.zone.elements import write_element
from local.zone.errors import ApiError
from local.zone.vocabulary import XMLNS, Doc

Answer = tuple[int, dict[str, str], bytes]  # status, headers, body
OK = 200
CREATED = 201
SERVER_ERROR = 500


def document_answer(op: str, document: Doc) -> Answer:
    """What an operation returns; with a Location it was created."""
    location = document.pop("Location", None)
    if location is None:
        return OK, _headers(), _xml(f"{op}Response", document)
    return CREATED, {**_headers(), "Location": location}, _xml(f"{op}Response", document)


def error_answer(error: ApiError) -> Answer:
    """A refusal, with the status of its code."""
    headers = _headers()
    document = {
        "Error": {
            "Type": "Sender" if error.status < SERVER_ERROR else "Receiver",
            "Code": error.code,
            "Message": error.message,
        },
        "RequestId": headers["x-amzn-RequestId"],
    }
    return error.status, headers, _xml("ErrorResponse", document)


def json_answer(status: int, value: Any) -> Answer:
    """An answer of the control paths."""
    return status, {"Content-Type": "application/json"}, json.dumps(value).encode()


def _headers() -> dict[str, str]:
    return {"Content-Type": "text/xml", "x-amzn-RequestId": str(uuid.uuid4())}


def _xml(root: str, document: Doc) -> bytes:
    element = write_element(root, document, f' xmlns="{XMLNS}"')
    return f'<?xml version="1.0"?>{element}'.encode()
