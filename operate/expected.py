"""What an operator's command may end with: each is one line, and an exit code."""

from __future__ import annotations

from control.errors import ControlError
from local.errors import LocalError
from operate.errors import OperateError
from providers.errors import ProviderError
from registry.errors import RegistryError
from route53.errors import Route53Error
from stacks.errors import StackError

EXPECTED = (
    ControlError,
    LocalError,
    OperateError,
    ProviderError,
    RegistryError,
    Route53Error,
    StackError,
)
