"""Makes `pulumi.runtime.proto` importable without the SDK around it.

The engine starts a host two or three times in a run, and half of each start went
into importing an SDK that a host never calls.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_AROUND = ("pulumi", "pulumi.runtime")


def import_alone() -> None:
    """Let what is imported after this find the stubs, and no `pulumi`: for a process of its own.

    Raises:
        ModuleNotFoundError: there is no SDK.
    """
    spec = find_spec(_AROUND[0])
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"No module named {_AROUND[0]!r}", name=_AROUND[0])
    site = Path(spec.origin).parents[1]
    for name in _AROUND:
        package = ModuleType(name)
        package.__path__ = [str(site.joinpath(*name.split(".")))]
        sys.modules[name] = package
