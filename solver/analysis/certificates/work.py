"""What a certificate of a large file was chosen so far: the work folder, from which the same command goes on.

    out.work/
        3f0c....choice    one of the certificates that are made, of which the smallest is taken

A choice is found again by the SHA-256 of what decides it: the head of the certificate, which has the
fingerprint of the rules and the start, the way in which moves are chosen, and the release of this program.
Each file appears as a whole or not at all, so the work may be killed at any moment.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from solver.analysis.certificates.certificate import Certificate, read_certificate
from solver.errors import TargetExists
from solver.system.files import alone_in, write
from solver.system.plugins import release

KEPT_FROM = 100_000
"""States of the smallest file of which choices are kept; others take some seconds."""


@contextmanager
def work_beside(target: str | Path, states: int) -> Iterator[Path | None]:
    """The work folder for a target, chosen in a file of so many states; None for small files.

    It is deleted at the end of a block that succeeds. Raises `TargetExists` and `TargetBusy`.
    """
    if states < KEPT_FROM:
        yield None
        return
    folder = Path(f"{target}.work")
    with alone_in(folder):
        if folder.exists() and not folder.is_dir():
            raise TargetExists(
                f"{folder} exists already, where the work folder should be: choose another name"
            )
        folder.mkdir(exist_ok=True)
        yield folder
        for path in folder.glob("*.choice*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        with suppress(OSError):  # it has what somebody else put there
            folder.rmdir()


def made_once(
    folder: Path | None, head: Certificate, way: int, make: Callable[[], Certificate]
) -> Certificate:
    """The certificate with this head whose moves are chosen in this way, from the folder or made now."""
    if folder is None:
        return make()
    asked = sha256(head.content + f"{way} {release()}".encode())
    path = folder / f"{asked.hexdigest()}.choice"
    if not path.exists():
        write(path, make().content)
    return read_certificate(path)
