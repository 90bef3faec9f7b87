"""Which hands leave every player a refet (рефет), of results that were scored."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.kernel import outline, to_records
from scoring.refet import gives_refets

Array = np.ndarray[Any, Any]


@outline
def _find_all(rules: Any, results: Any, written: Any) -> None:
    for k in range(len(results)):
        written[k] = gives_refets(rules[0], results[k])


def refets_written(rules: Array, results: Array) -> Array:
    """1 for each result, with what its sheet decided, that leaves every player a refet."""
    written = np.zeros(len(results), np.int64)
    _find_all(to_records(rules), to_records(results), written)
    return written
