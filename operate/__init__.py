"""Operators' commands, ``python -m operate``: one module each, beside the program and the engine.

Exit codes, for every command: 0 all is well or done, 1 something is refused, not converged or
needs an acknowledgement, 2 the question could not be answered or the work not finished.
"""
