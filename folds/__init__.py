"""Pure functions: what should exist, worked out from plain values.

No clock, environment, network or Pulumi. The same input in any order gives the same output.
"""
