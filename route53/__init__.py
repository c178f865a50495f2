"""The live zone over the Route 53 API: reading it whole, and applying a plan to it.

Knows no Pulumi. ``client`` makes the calls, ``read`` observes, ``batches`` packs changes, ``apply``
carries out one wave of a plan, ``converge`` repeats that until nothing is left to do.
"""
