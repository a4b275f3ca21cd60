import os
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


def under_hash_seeds(program: str, *arguments: object) -> set[str]:
    """What a Python program prints, in processes that order sets and hashes differently."""
    return {
        subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
