"""Buckets: a burst, then a steady rate, key by key."""

from services.gateway.rate import Buckets, TokenBucket


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(per_s=2.0, burst=3, now_s=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5), bucket.take(100.5)] == [True, False]
    assert [bucket.take(200.0) for _ in range(4)] == [True, True, True, False]


def test_each_key_has_its_own_bucket_and_their_number_is_bounded() -> None:
    buckets = Buckets(per_s=0.0, burst=1)
    assert buckets.take("a", 0.0)
    assert not buckets.take("a", 0.0)
    assert buckets.take("b", 0.0)
    for number in range(10_000):
        buckets.take(str(number), 0.0)
    assert buckets.take("a", 0.0)
