"""A simulated end of a process, and the message about an interruption."""


class Killed(BaseException):
    """As if the process were killed: no code of the program catches it."""


GOES_ON = "what is finished is kept, the same command goes on from there"
"""What a command that was interrupted says of its work."""
