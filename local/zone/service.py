"""The emulated service: dispatch, faults, throttling and the call log."""

import itertools
import threading
import time
from collections.abc import Callable, Iterable
from urllib.parse import parse_qsl, unquote, urlsplit

from local.zone.account import Account
from local.zone.answers import Answer, document_answer, error_answer
from local.zone.errors import ApiError, refuse
from local.zone.faults import ERRORS, Fault, FaultPlan, error_of
from local.zone.operations import Operation, find_operation
from local.zone.persistence import CallLog, StateFile
from local.zone.request import Request
from local.zone.settings import Settings
from local.zone.throttle import TokenBucket
from local.zone.vocabulary import Doc
from local.zone.zones import Zone

SUCCESS = range(200, 300)


class Service:
    """One account behind the API; its methods may be called from any thread.

    calls is the log: a dict each with op, index, time (epoch seconds), args, status, error,
    changes, units, chars and fault. on_call, where set, is called with the log entry of each
    call before that call is judged.
    """

    def __init__(self, settings: Settings, state_file: StateFile, log: CallLog) -> None:
        self.settings = settings
        self.account = Account(settings)
        self.calls: list[Doc] = []
        self.on_call: Callable[[Doc], None] | None = None
        self.lock = threading.RLock()
        self._faults = FaultPlan()
        self._bucket = TokenBucket(settings)
        self._numbers = itertools.count()
        self._state_file, self._log = state_file, log
        self.account.seed(state_file.load())

    @property
    def zones(self) -> dict[str, Zone]:
        """The hosted zones by id."""
        return self.account.zones

    @property
    def health_checks(self) -> dict[str, Doc]:
        """The health checks by id, as boto3 has them."""
        return self.account.health_checks

    @property
    def tags(self) -> dict[str, dict[str, str]]:
        """The tags by "healthcheck/ID" or "hostedzone/ID"."""
        return self.account.tags

    @property
    def violations(self) -> list[Doc]:
        """What was observed and not refused: a dict each with kind, call (index) and op."""
        return self.account.violations

    def state(self) -> Doc:
        """All that the account holds, in the form that seed takes: plain data."""
        with self.lock:
            return self.account.state()

    def seed(self, document: Doc) -> None:
        """Add (or replace, by id) zones and health checks, as Account.seed says."""
        with self.lock:
            self.account.seed(document)
            self._state_file.save(self.account.state)

    def set_faults(self, rules: Iterable[Doc]) -> None:
        """Replace the fault rules; UnknownFaultError (a ValueError) changes nothing."""
        with self.lock:
            self._faults.replace(rules)

    def reset(self) -> None:
        """Empty the call log, and count calls for nth and every from the beginning."""
        with self.lock:
            self.calls.clear()
            self._faults.restart()

    def handle(self, method: str, target: str, body: bytes, *, signed: bool) -> Answer | None:
        """The answer to one API request; None to close the connection without one."""
        url = urlsplit(target)
        version, _, path = url.path.strip("/").partition("/")
        operation, args = find_operation(method, version, path)
        op = operation.name if operation else "Unknown"
        call, fault = self._admit(op, [unquote(arg) for arg in args])
        if self.on_call:
            self.on_call(call)
        time.sleep(fault.delay)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        request = Request(op, call["args"], query, body, signed, call)
        with self.lock:
            answer = None
            if fault.do != "drop_before":
                answer = self._answer(request, operation, fault)
            self._keep(call, changed=method != "GET" and call["status"] in SUCCESS)
        return None if fault.do == "drop_after" else answer

    def _admit(self, op: str, args: list[str]) -> tuple[Doc, Fault]:
        """Log a call that came in, and decide what fault strikes it."""
        with self.lock:
            fault = self._faults.next_for(op)
            call: Doc = {"op": op, "index": next(self._numbers), "time": time.time(), "args": args}
            call |= {"status": None, "error": None, "fault": fault.do}
            call |= {"changes": 0, "units": 0, "chars": 0}
            self.calls.append(call)
        return call, fault

    def _answer(self, request: Request, operation: Operation | None, fault: Fault) -> Answer:
        try:
            answer = document_answer(request.op, self._run(request, operation, fault))
        except ApiError as error:
            request.call.update(error=error.code, message=error.message)
            answer = error_answer(error)
        request.call["status"] = answer[0]
        return answer

    def _run(self, request: Request, operation: Operation | None, fault: Fault) -> Doc:
        if fault.do in ERRORS:
            raise error_of(fault.do, request.op)
        refuse("MissingAuthenticationToken", (not request.signed, "Missing Authentication Token"))
        self._bucket.take(request.op)
        if operation is None:
            raise ApiError("UnknownOperationException", "There is no such operation.")
        return operation.run(self.account, request)

    def _keep(self, call: Doc, *, changed: bool) -> None:
        """Write what the files are to hold of a call."""
        self._log.append(call)
        if changed:
            self._state_file.save(self.account.state)
