"""What is measured, never tested by the clock: each module prints times and ratios of one run."""
