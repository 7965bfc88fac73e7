"""The one kind of error that the local stack expects and explains; anything else is a bug."""

from libs.cli.expected import EXIT_FAILED, EXIT_REFUSED, ExpectedError

__all__ = ["EXIT_FAILED", "EXIT_REFUSED", "StackError"]


class StackError(ExpectedError):
    """Something outside the code stands in the way of the stack."""
