"""The emulator as a command: python -m local.zone."""

from local.zone.service import main

main()
