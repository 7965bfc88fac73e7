"""The one kind of error that the local stack expects and explains.

Everything that a person can put right ends here: one line that says what is wrong and one that says what
to do. Anything else is a bug and shows its traceback.
"""

EXIT_FAILED = 1
EXIT_REFUSED = 2


class StackError(Exception):
    """Something outside the code stands in the way; `hint` says what to do about it."""

    def __init__(self, message: str, hint: str = "", exit_code: int = EXIT_FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message
