"""The forms of the three stacks' outputs. Texts in them were escaped when they were put out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from folds.desired import Edge, Refusal
from operate.answers import Form, mistake
from operate.errors import OutputsUnreadable


class RecordSet(Form):
    """A record set that a zone has now."""

    set_identifier: str
    region: str
    address: str


class Zone(Form):
    """The outputs of a steering stack, as far as they are read; of a dormant one, the state."""

    state: str = ""
    zone: str = ""
    record_sets: tuple[RecordSet, ...] = ()
    refused: tuple[Refusal, ...] = ()
    held: tuple[str, ...] = ()
    standby: tuple[Edge, ...] = ()


class Rows(Form):
    """The outputs of a sidecars stack, as far as they are read."""

    rows: tuple[str, ...]
    protected: tuple[Refusal, ...] = ()
    declined: tuple[Refusal, ...] = ()
    held_back: tuple[Refusal, ...] = ()


class Copies(Form):
    """The outputs of a snapshot stack, as far as they are read; a box of a fleet has no key."""

    key: str
    created_at: str = ""
    generations: tuple[str, ...] = ()


_Form = TypeVar("_Form", bound=Form)


def outputs_of(stack: str, form: type[_Form], outputs: Mapping[str, Any]) -> _Form:
    """Read a stack's outputs.

    Raises:
        OutputsUnreadable: if a member is missing or is something else.
    """
    try:
        return form.model_validate(outputs)
    except ValidationError as error:
        raise OutputsUnreadable(
            f"stack {stack}: its outputs are {mistake(error)};"
            " see `pulumi stack output`; the next good update writes them anew"
        ) from error
