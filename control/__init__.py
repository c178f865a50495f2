"""The control bucket: its keys, its documents, and how they are read.

`keys`, `text`, `strict_json`, `records` and `errors` are pure; `store` and `bucket` do the reading;
`scan` says what one pass reads, in which order, and what makes it fail.
"""
