"""What is built: the engine's version, and the key of everything it is made from."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from tools.engine.errors import RecipeError

HERE = Path(__file__).resolve().parent
MODULE = HERE / "module"
LAUNCHER = HERE / "pulumi-language-python"
CLI = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
SDK = "github.com/pulumi/pulumi/sdk/v3"
EXECUTABLES = (
    "pulumi",
    "pulumi-language-python",
    "pulumi-language-python-exec",
    "pulumi-resource-pulumi-python",
)
_REQUIRE = re.compile(r"^(?:require)?\s*github\.com/pulumi/pulumi/pkg/v3 v(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """A version of the CLI (`3.274.1`) and the first 8 hex digits of what it is made from."""

    version: str
    key: str

    @property
    def folder(self) -> str:
        """The name of the folder in the cache: other contents go to another folder."""
        return f"{self.version}-{self.key}"

    @property
    def linker_flags(self) -> str:
        """No symbol tables (50 MB), and the version that official builds carry."""
        return f"-s -w -X {SDK}/go/common/version.Version=v{self.version}"


def read_recipe(module: Path = MODULE, launcher: Path = LAUNCHER) -> Recipe:
    """Read the recipe from the folder of go.mod and go.sum, and from the launcher.

    Raises:
        RecipeError: go.mod does not require the CLI's module.
    """
    go_mod = (module / "go.mod").read_bytes()
    found = _REQUIRE.search(go_mod.decode())
    if found is None:
        raise RecipeError(f"{module / 'go.mod'} requires no {CLI.rsplit('/cmd', 1)[0]}: add it")
    contents = hashlib.sha256()
    for part in (go_mod, (module / "go.sum").read_bytes(), launcher.read_bytes()):
        contents.update(hashlib.sha256(part).digest())
    return Recipe(found.group(1), contents.hexdigest()[:8])
