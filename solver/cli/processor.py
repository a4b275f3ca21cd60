"""What NumPy is to know of the processor before it is imported."""

from contextlib import suppress
from os import environ
from pathlib import Path

PROCESSORS = Path("/proc/cpuinfo")
"""Where Linux tells of the processors."""

ZEN_4 = "AuthenticAMD", "cpu family\t: 25\n", " avx512f "
"""What it says of AMD's Zen 4; Zen 3 is of the same family and has no AVX-512, Zen 5 is of another."""

CHARACTERS = 4096
"""As many as tell of the first processor."""


def avoid_slow_sorts(processors: Path = PROCESSORS) -> None:
    """Have NumPy sort by AVX2 on a Zen 4, where AVX-512 takes five times as long.

    There it is slow to store compressed vectors, of which NumPy's sort consists:
    https://github.com/numpy/x86-simd-sort/issues/6. The variable is NumPy's; one that is set already stays.
    """
    with suppress(OSError), processors.open() as file:
        said = file.read(CHARACTERS)
        if all(fact in said for fact in ZEN_4):
            environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4")
