"""Lints the workflows, and has what their steps need in a test.

actionlint reads `.github/workflows`; gojq is the filter language that `gh api --jq`
speaks. Both are built from their Go modules, once for all checkouts of a user.
"""
