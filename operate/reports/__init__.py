"""A stack's plan as a report: for people, for a pull request's comment, for other programs."""
