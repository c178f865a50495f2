"""The policy pack. It is published as this folder alone, so nothing in it imports the project."""
