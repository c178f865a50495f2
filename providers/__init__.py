"""Dynamic providers and their resources.

Module paths and class names of providers are stored in every stack's state: they are an API.
"""
