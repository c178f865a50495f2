"""What holds for every test."""

from __future__ import annotations

import signal
import threading

from hypothesis import HealthCheck, settings

# No test fails by the clock: a busy machine is slow at drawing examples too.
settings.register_profile(
    "busy", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("busy")

# A job in the background may inherit an ignored SIGINT, and hand it on to every process that a test
# starts: none of them could be interrupted then.
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)
