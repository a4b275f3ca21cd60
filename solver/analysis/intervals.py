"""How far a share that was counted may be from the true one."""

from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval that covers the true share with this confidence; (0, 1) without trials.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
    the American Statistical Association 22(158), 1927.
    """
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = successes / trials, z * z / trials
    centre = (share + weight / 2) / (1 + weight)
    reach = z * sqrt(share * (1 - share) / trials + weight / trials / 4) / (1 + weight)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def percentages(successes: int, trials: int) -> str:
    """The Wilson interval in words: "91.5 to 99.0%"."""
    low, high = wilson(successes, trials)
    return f"{low:.1%} to {high:.1%}".replace("%", "", 1)
