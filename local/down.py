"""`make down`: stop what `make up` started, and nothing else."""

from __future__ import annotations

from local import environment, services


def down() -> None:
    """Stop the emulators. Objects, zone and the stack's state stay in `.local`."""
    stopped = services.stop()
    environment.forget()
    if not stopped:
        print("nothing runs here")
        return
    print(f"stopped: {', '.join(stopped)}")
    print("`make up` goes on from what .local keeps; `rm -r .local` begins afresh")
