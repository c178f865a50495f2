"""`python -m tools.engine`: makes sure that the engine is there, prints where."""

import os
import sys

from tools.engine.errors import EngineError
from tools.engine.locate import ensure


def main() -> int:
    """Print the path of the CLI; progress and errors go to standard error.

    Returns:
        The exit code: 0, or 1 with one line that says what is missing or failed.
    """
    try:
        engine = ensure(os.environ, lambda line: print(line, file=sys.stderr, flush=True))
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
    print(engine.pulumi)
    return 0


if __name__ == "__main__":
    sys.exit(main())
