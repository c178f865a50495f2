"""All measurements, one after the other, or those named: ``python -m tests.bench fold calls``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Run the named benchmarks, or all by name."""
    known = sorted(each.name for each in pkgutil.iter_modules([str(HERE)]) if each.name[0] != "_")
    unknown = sorted(set(sys.argv[1:]) - set(known))
    if unknown:
        sys.stderr.write(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}\n")
        return 2
    for name in sys.argv[1:] or known:
        sys.stdout.write(f"\n== {name}\n")
        sys.stdout.flush()
        importlib.import_module(f"tests.bench.{name}").run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
