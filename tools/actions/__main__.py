"""`python -m tools.actions`: lints the workflows of this checkout."""

import os
import subprocess
import sys
from pathlib import Path

from tools.actions.built import OPTIONS, ensure
from tools.engine.errors import EngineError

CHECKOUT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Run actionlint over the workflows, or over the files given.

    Returns:
        Its exit code, 0 if nothing is wrong; 1 with one line if it cannot be built.
    """
    try:
        folder = ensure(os.environ, lambda line: print(line, file=sys.stderr, flush=True))
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    # Named one by one: by itself it looks for a repository, and a copy of the checkout is none.
    files = sys.argv[1:] or sorted(map(str, CHECKOUT.glob(".github/workflows/*.yml")))
    command = [str(folder / "actionlint"), *OPTIONS, *files]
    return subprocess.run(command, cwd=CHECKOUT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
