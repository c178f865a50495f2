"""The environment that local/pulumi runs the engine in."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from local.engine_errors import EngineMissingError
from tools.engine.locate import Engine, environment, find

CHECKOUT = Path(__file__).resolve().parents[1]
# The command and its other name. What `up` previews first is no preview alone, and may not fail.
PREVIEWS = frozenset({"preview", "pre"})
STRICT_PREVIEW = "FAIRLEAD_STRICT_PREVIEW"


def find_engine(environ: Mapping[str, str]) -> Engine:
    """The engine to run.

    Raises:
        EngineMissingError: none is official and none was built.
    """
    engine = find(environ)
    if engine is None:
        raise EngineMissingError(
            "local/pulumi: there is no engine: `make setup` builds it, or install Pulumi "
            "(https://www.pulumi.com/docs/install/)"
        )
    return engine


def engine_environment(
    engine: Engine, environ: Mapping[str, str], checkout: Path = CHECKOUT
) -> dict[str, str]:
    """The environment with the toolchain on PATH, and our defaults where nothing is set."""
    return {**_defaults(environ, checkout), **environment(engine, environ, checkout)}


def make_state_folders(environ: Mapping[str, str], checkout: Path = CHECKOUT) -> None:
    """Make the folders under .local that the environment uses: the CLI makes none."""
    local = checkout / ".local"
    for name, value in _folders(local).items():
        if environ.get(name) == value[0]:
            value[1].mkdir(parents=True, exist_ok=True)


def backend_folder(environ: Mapping[str, str], cwd: Path) -> Path | None:
    """The folder of a `file://` backend; None for every other backend."""
    scheme, found, path = environ.get("PULUMI_BACKEND_URL", "").partition("file://")
    if scheme or not found:
        return None
    folder = Path(unquote(path.partition("?")[0]))
    return cwd / folder.expanduser()


def _defaults(environ: Mapping[str, str], checkout: Path) -> dict[str, str]:
    folders = {name: value[0] for name, value in _folders(checkout / ".local").items()}
    # Backups and history of an unchanged run at 2,000 hosts would be 7.6 MB.
    state = {
        "PULUMI_DIY_BACKEND_GZIP": "true",
        "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "true",
    }
    passphrase = (
        {} if "PULUMI_CONFIG_PASSPHRASE_FILE" in environ else {"PULUMI_CONFIG_PASSPHRASE": ""}
    )
    # Else every run of any stack fetches the AWS provider's plugin, since its package is there.
    plugins = {"PULUMI_OPTION_SKIP_PLUGIN_PRE_INSTALL": "true"}
    return {**folders, **state, **passphrase, **plugins, "PULUMI_SKIP_UPDATE_CHECK": "true"}


def _folders(local: Path) -> dict[str, tuple[str, Path]]:
    return {
        "PULUMI_BACKEND_URL": ((local / "state").as_uri(), local / "state"),
        "PULUMI_HOME": (os.fspath(local / "pulumi"), local / "pulumi"),
    }
