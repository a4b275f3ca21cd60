"""The end of a process, played."""


class Killed(BaseException):
    """As if the process were killed: no code of the program catches it."""
