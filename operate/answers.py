"""The forms of what the CLI prints as JSON. What it prints besides is passed over."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

T = TypeVar("T")


def read(form: TypeAdapter[T], text: str | bytes) -> T:
    """Parse a text as JSON of a form.

    Raises:
        ValueError: with what the text is, in a line that shows no value of it.
    """
    if not text.strip():
        raise ValueError("empty")
    try:
        return form.validate_json(text, strict=True)
    except ValidationError as error:
        raise ValueError(mistake(error)) from error


def mistake(error: ValidationError) -> str:
    """Return the first mistake that pydantic found, with its place and without the value."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return f"not JSON: {first['msg'].removeprefix('Invalid JSON: ')}"
    place = ".".join(map(str, first["loc"])) or "the whole"
    return f"of no known form: {place}: {first['msg'].removeprefix('Value error, ')}"


def _moment(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a time without its zone")
    return text


class Form(BaseModel):
    """A form that passes over what it does not name."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


class Update(Form):
    """An entry of a stack's history. One that is still going on has no ``end_time``, in ISO 8601.

    ``kind`` is ``update``, ``destroy``, ``refresh`` and the like; ``result`` is ``succeeded``,
    ``failed`` or ``in-progress``.
    """

    kind: str
    result: str
    end_time: Annotated[str, AfterValidator(_moment)] | None = None

    @model_validator(mode="after")
    def _ended(self) -> Update:
        if self.result != "in-progress" and self.end_time is None:
            raise ValueError("neither in progress nor ended")
        return self


class Resource(Form):
    """A resource of a state."""

    type: str
    outputs: dict[str, Any] | None = None


class Deployment(Form):
    """A state; an empty one may lack its list."""

    resources: tuple[Resource, ...] | None = None


class Exported(Form):
    """What ``stack export`` prints. A stack that was never updated has no deployment."""

    deployment: Deployment | None = None


class Named(Form):
    """A stack among others."""

    name: str


class Diagnostic(Form):
    """What a preview said."""

    severity: str = ""


class Preview(Form):
    """What ``preview --json`` prints: resources by what becomes of them, as ``same``."""

    change_summary: dict[str, int]
    diagnostics: tuple[Diagnostic, ...] | None = None


CONFIG = TypeAdapter(dict[str, dict[str, Any]])
EXPORTED = TypeAdapter(Exported)
HISTORY = TypeAdapter(tuple[Update, ...])
OUTPUTS = TypeAdapter(dict[str, Any])
PREVIEW = TypeAdapter(Preview)
STACKS = TypeAdapter(tuple[Named, ...])
