"""Batches: by hand size and kernel, in cache and in memory, with wild ranks, on two threads."""

from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from conftest import Compare, Scale
from inputs import CACHE, RULES, Hands, new_values, random_hands, rules_of

from wildrank import Evaluator, all_hands, deal, evaluator
from wildrank._evalcore import kernel_names, use_kernel
from wildrank.cli.timing import Contender, batch_contender, roofline_contender

ROOFLINE = "roofline"


@pytest.mark.parametrize("size", RULES)
@pytest.mark.parametrize("place", ["cache", "memory"])
def test_kernels(compare: Compare, scale: Scale, place: str, size: int) -> None:
    count = CACHE if place == "cache" else scale.memory
    rules, hands, out = rules_of(size), random_hands(count, rules_of(size)), new_values(count)
    _check_kernels(rules, hands)
    compare(
        f"{size} cards ({RULES[size]}), {count:,} hands",
        *(batch_contender(kernel, rules, hands, out, kernel=kernel) for kernel in kernel_names()),
        roofline_contender(ROOFLINE, rules, hands, out),
        reference=ROOFLINE,
    )


def _check_kernels(rules: Evaluator, hands: Hands) -> None:
    results = []
    for kernel in kernel_names():
        use_kernel(kernel)
        results.append(rules.evaluate_batch(hands))
    assert all(np.array_equal(one, other) for one, other in combinations(results, 2))
    one_by_one = list(map(rules.evaluate, map(bytes, hands[:1000])))
    assert results[0][:1000].tolist() == one_by_one
    use_kernel(kernel_names()[0])


def test_wild_ranks(compare: Compare, scale: Scale) -> None:
    plain, paiute = rules_of(6), evaluator("paiute")
    hands, out = deal(scale.memory, 6, seed_or_generator=6), new_values(scale.memory)
    ranks = np.random.default_rng(6).integers(13, size=len(hands), dtype=np.uint8)
    subject = batch_contender("paiute, wild_ranks", paiute, hands, out, wild_ranks=ranks)
    compare(
        f"Six cards with and without wild ranks, {len(hands):,} hands",
        subject,
        batch_contender("six-card perico", plain, hands, out),
        batch_contender("paiute, one wild rank", paiute, hands, out, wild_ranks="7"),
        batch_contender("paiute, no wild card", paiute, hands, out),
        reference="six-card perico",
        notes={"paiute, wild_ranks": "an array with a rank for each hand"},
    )


@pytest.mark.parametrize("size", [5, 6])
def test_threads(compare: Compare, scale: Scale, size: int) -> None:
    rules, count = rules_of(size), scale.memory
    hands, out, shared = random_hands(count, rules), new_values(count), new_values(count)
    rules.evaluate_batch(hands, out=out)
    rules.evaluate_batch(hands, out=shared, threads=2)
    assert np.array_equal(out, shared)
    compare(
        f"{size} cards ({RULES[size]}), threads, {count:,} hands",
        batch_contender("threads=2", rules, hands, out, threads=2),
        batch_contender("threads=1", rules, hands, out),
        reference="threads=1",
    )


def test_forms(compare: Compare, scale: Scale) -> None:
    rules, count = rules_of(5), scale.memory // 10
    hands, out = random_hands(count, rules), new_values(count)
    strided = np.asfortranarray(hands)
    compare(
        f"Other arrays and outputs, five cards, {count:,} hands",
        batch_contender("uint8, into out", rules, hands, out),
        Contender("uint8, new array of values", partial(rules.evaluate_batch, hands), count),
        batch_contender("int64", rules, hands.astype(np.int64), out),
        batch_contender("uint8, Fortran order", rules, strided, out),
        Contender("valid_mask", partial(rules.valid_mask, hands), count),
        notes={"valid_mask": "a check without values, for choosing the good rows"},
    )


def test_all_hands(compare: Compare) -> None:
    rules = rules_of(6)
    expected = rules.value_counts()
    assert np.array_equal(_histogram(rules), expected)
    compare(
        "All 32,468,436 hands of six-card perico into a histogram",
        Contender(
            "all_hands, evaluate_batch, bincount", partial(_histogram, rules), int(expected.sum())
        ),
        Contender("value_counts()", rules.value_counts, int(expected.sum())),
        notes={"value_counts()": "counts kinds of hands instead of hands"},
    )


def _histogram(rules: Evaluator) -> npt.NDArray[np.int64]:
    counts = np.zeros(rules.num_values + 1, dtype=np.int64)
    for hands in all_hands(rules.rules):
        counts += np.bincount(rules.evaluate_batch(hands), minlength=len(counts))
    return counts
