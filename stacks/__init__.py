"""One module per kind of stack: each runs the five steps, settings to declare."""
