"""Errors that a person can put right: the command shows them as one line, without a traceback."""

from collections.abc import Sequence

EXIT_FAILED = 1
EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130


class ExpectedError(Exception):
    """What is wrong in one line, and `hint`, what to do about it.

    `exit_code` is 2 if nothing was tried, 1 if something failed on the way; `detail` are lines that help to
    understand it, such as the end of a log.
    """

    def __init__(
        self, message: str, hint: str = "", exit_code: int = EXIT_FAILED, detail: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
        self.detail = tuple(detail)

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message
