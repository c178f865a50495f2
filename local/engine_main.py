"""local/pulumi: the engine, with this checkout's toolchain, environment and state.

Every argument goes to the CLI as it is, and the CLI takes this process's place, so
its exit code and every signal are its own. It runs in the caller's folder if that
lies in the checkout or `-C` is given, else in the checkout. A stack whose name begins
with `local-` runs on the emulators of `make up`: local/environment.py says how.
"""

import os
import signal
import sys
from pathlib import Path

from local.engine_arguments import Arguments, parse
from local.engine_env import (
    CHECKOUT,
    PREVIEWS,
    STRICT_PREVIEW,
    engine_environment,
    find_engine,
    make_state_folders,
)
from local.engine_errors import LauncherError
from local.engine_healing import HEALED, Stack, heal
from local.engine_packs import check_pack
from local.engine_stack import addressed
from local.environment import FOLDER, for_stack
from local.errors import LocalError


def main() -> int:
    """Start the engine with the arguments of this process.

    Returns:
        1, with one line on standard error, if it is not started; 130 on an interrupt before.
    """
    words = sys.argv[1:]
    try:
        _start(words, parse(words))
    except (LauncherError, LocalError) as error:
        _say(str(error))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 1


def _start(words: list[str], arguments: Arguments) -> None:
    engine = find_engine(os.environ)
    stack = addressed(arguments, os.environ, FOLDER)
    environ = engine_environment(engine, for_stack(stack, os.environ))
    if arguments.command in PREVIEWS:
        environ = {STRICT_PREVIEW: "1", **environ}
    make_state_folders(environ)
    folder = _folder(arguments, Path.cwd(), CHECKOUT)
    project = folder / (arguments.folder or "")
    # What is no folder or asks for help is the CLI's to answer.
    if project.is_dir() and not arguments.help:
        _prepare(Stack(engine.pulumi, arguments, environ, project))
    os.chdir(folder)
    # No shell: the words are the CLI's, and so is this process from here on.
    os.execve(engine.pulumi, ["pulumi", *words], environ)  # noqa: S606


def _prepare(stack: Stack) -> None:
    for pack in stack.arguments.packs:
        check_pack(stack.cwd / pack)
    if stack.arguments.command in HEALED:
        heal(stack, _say)


def _folder(arguments: Arguments, cwd: Path, checkout: Path) -> Path:
    inside = cwd == checkout or checkout in cwd.parents
    return cwd if inside or arguments.folder is not None else checkout


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
