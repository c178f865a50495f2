"""Waiting until every name server of Route 53 has a change."""

from __future__ import annotations

from route53.client import Calls
from route53.errors import NotInSync
from route53.progress import Progress

_FIRST_WAIT, _LONGEST_WAIT, _GROWTH = 2.0, 10.0, 1.5  # seconds, seconds, factor


def wait_for_sync(calls: Calls, change_id: str, budget: float, progress: Progress) -> None:
    """Ask for the state of a change until it is ``INSYNC``, usually within a minute.

    ``budget`` is the seconds to wait in all.

    Raises:
        NotInSync: if it is still ``PENDING`` then.
        Route53Error: if asking fails.
    """
    about, waited, pause = f"change {change_id.removeprefix('/change/')}", 0.0, _FIRST_WAIT
    while calls.read("get_change", about, Id=change_id)["ChangeInfo"]["Status"] != "INSYNC":
        if waited + pause > budget:
            raise NotInSync(
                about,
                f"every change was accepted, and not all name servers have it after {waited:.0f} s,"
                f" limit {budget:.0f} s",
                "wait: nothing else is to be done; or set waitForSync to false",
            )
        progress(f"{about}: accepted, waiting for all name servers, {waited:.0f} s")
        calls.sleep(pause)
        waited, pause = waited + pause, min(pause * _GROWTH, _LONGEST_WAIT)
