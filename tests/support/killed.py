"""The end of a process, played, and what is said of an interruption."""


class Killed(BaseException):
    """As if the process were killed: no code of the program catches it."""


GOES_ON = "what is finished is kept, the same command goes on from there"
"""What a command that was interrupted says of its work."""
