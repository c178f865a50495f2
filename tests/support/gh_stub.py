"""What ``gh api`` does of a pull request's comments, kept in a file: pages of them.

The file is named by GH_STUB_STATE; ``--jq`` is answered by GH_STUB_JQ, the filter language of gh.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY, NUMBER, BOT = "team/fairlead", 7, "github-actions[bot]"
_ALL = f"repos/{REPOSITORY}/issues/{NUMBER}/comments"


def main() -> None:
    """Answer one command; anything that is not expected ends it with an error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["api"])
    parser.add_argument("path")
    parser.add_argument("--method", default="GET", choices=["GET", "PATCH", "POST"])
    parser.add_argument("--paginate", action="store_true")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--jq", default=".")
    parser.add_argument("--field", default="")
    asked = parser.parse_args()
    state = Path(os.environ["GH_STUB_STATE"])
    pages = json.loads(state.read_text())
    if asked.method == "GET":
        _list(pages, asked)
        return
    name, _, file = asked.field.partition("=@")
    made = {"user": {"login": BOT}, name: Path(file).read_text()}
    if asked.method == "POST":
        _demand(asked.path == _ALL)
        pages[-1].append({**made, "id": 1000})
    else:
        address = f"repos/{REPOSITORY}/issues/comments/"
        known = {f"{address}{each['id']}": each for page in pages for each in page}
        known[asked.path].update(made)
    state.write_text(json.dumps(pages))


def _list(pages: list[object], asked: argparse.Namespace) -> None:
    _demand(asked.path == f"{_ALL}?per_page=100" and asked.paginate)
    for page in pages:
        filter_ = [os.environ["GH_STUB_JQ"], "-r", asked.jq]
        subprocess.run(filter_, input=json.dumps(page), text=True, check=True)


def _demand(holds: bool) -> None:  # noqa: FBT001 - a condition
    if not holds:
        sys.exit(f"gh: not found: {sys.argv}")


if __name__ == "__main__":
    main()
