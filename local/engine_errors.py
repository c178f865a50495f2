"""LauncherError: why local/pulumi does not start the engine.

LauncherError
    EngineMissingError    no official engine on PATH and none built
    PackError             a policy pack's virtual environment is missing
    HealingError          a pending create could not be cleared
"""


class LauncherError(Exception):
    """The engine is not started; the message is one line and names the way out."""


class EngineMissingError(LauncherError):
    """There is no engine to run."""


class PackError(LauncherError):
    """A policy pack of the command line cannot be started."""


class HealingError(LauncherError):
    """What a killed run left in the stack's state could not be cleared."""
