"""EngineError: what keeps the engine, or a linter that is built as it is, from being there.

EngineError
    NoToolchainError    neither the thing itself nor Go is on PATH
    RecipeError         go.mod does not say which engine to build
    BuildError          Go was asked and failed
"""


class EngineError(Exception):
    """What is built here cannot be provided; the message is one line and says what to do."""


class NoToolchainError(EngineError):
    """It is not there, and `go` is not on PATH."""


class RecipeError(EngineError):
    """go.mod does not require the Pulumi CLI's module."""


class BuildError(EngineError):
    """A `go` command failed, or did not make what it was asked for."""
