"""Finds the official Pulumi engine, or builds it and adds a stand-in language host.

An official `pulumi` with its Python language host on PATH is used as it is. Else
the CLI is built from its Go module, once for all checkouts of a user, and
`language_host` stands in for the language host, whose own module no proxy serves.
"""
