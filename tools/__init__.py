"""What builds and runs the project, and is no part of the program."""
