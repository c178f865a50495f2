"""LauncherError: why local/pulumi does not start the engine.

LauncherError
    EngineMissingError    no official engine on PATH and none built
    PackError             a policy pack's virtual environment is missing
    SelectionError        the engine's file of the selected stack is damaged
    HealingError          a pending create could not be cleared
"""


class LauncherError(Exception):
    """The engine is not started; the message is one line and names the way out."""


class EngineMissingError(LauncherError):
    """There is no engine to run."""


class PackError(LauncherError):
    """A policy pack of the command line cannot be started."""


class SelectionError(LauncherError):
    """Nobody knows which stack a command line without one addresses."""


class HealingError(LauncherError):
    """What a killed run left in the stack's state could not be cleared."""
