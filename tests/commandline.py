import subprocess
import sys
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.executable).with_name("perfectplay")


def run(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    """What the installed program does with `arguments`, in a process of its own."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60, **options
    )
