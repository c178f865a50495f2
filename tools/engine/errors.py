"""EngineError: what keeps the engine from being there.

EngineError
    NoToolchainError    neither an official engine nor Go is on PATH
    RecipeError         go.mod does not say which engine to build
    BuildError          Go was asked and failed
"""


class EngineError(Exception):
    """The engine cannot be provided; the message is one line and says what to do."""


class NoToolchainError(EngineError):
    """Neither an official `pulumi` with its language host nor `go` is on PATH."""


class RecipeError(EngineError):
    """go.mod does not require the Pulumi CLI's module."""


class BuildError(EngineError):
    """A `go` command failed, or did not make what it was asked for."""
