"""Calls of the library from Python."""
import threading

import numpy as np

import price


def fails(kind, code, text, call):
    try:
        result = call()
    except kind as e:
        assert text in str(e), str(e)
        assert code is None or e.code == code, e.code
        return e
    raise AssertionError("%r is no %s" % (result, kind.__name__))


assert price.mean([1, 2, 4.5]) == 2.5 and price.mean(np.array([1, 2])) == 1.5 and type(price.mean([1, 2])) is float
assert price.mean(np.arange(12.0)[::3]) == 4.5, "strides"
assert price.mean(np.array([1, 2, 3], dtype=">f8")) == 2 and price.mean(np.array([1, 2], dtype="f4")) == 1.5
assert price.mean(np.array([1, 3], dtype="u1")) == 2 and price.mean([True, False]) == 0.5
worth = price.price(100, [1.0, 2])
assert worth.dtype == np.float64 and np.allclose(worth, 100 * np.exp(-0.05 * np.array([1.0, 2])))
assert price.price(1, np.zeros(100_000)).sum() == 100_000
assert price.weigh(np.ones((3, 4)).T.copy().T).shape == (3,)
assert price.range([3, 1.5, 2]).tolist() == [1.5, 3, 3]
low, high = price.parts([-1, 5, -7])
assert low.tolist() == [-1, -7] and high.tolist() == [5] and low.dtype == np.int64
assert price.pick("hello", [5, 1]) == "oh" and price.pick(np.array([1 + 2j, 3]), [2]).tolist() == [3]
assert price.pick([True, False], [2]).dtype == np.bool_
assert price.isprime(97) is True and price.isprime(98) is False
assert price.turn(5) == 5 and price.turn([[1, 2], [3, 4]]).tolist() == [[2, 1], [4, 3]]
assert price.product(np.eye(2), np.array([[1, 2], [3, 4]]).T).tolist() == [[1, 3], [2, 4]]
assert price.root(-4) == 2j and price.initial("⍳x") == "⍳" and price.len("abc") == 3
assert price.steps([]).shape == (0,) and price.chosen(0.5) == 0.5
assert price.cube(np.ones((1, 2, 3))).shape == (1, 2, 3)
big = price.price(1, np.zeros(10_000))
big[0] = 7
assert big.flags.writeable and big[0] == 7
assert "The mean of a vector." in price.mean.__doc__

e = fails(price.ElementTypeError, 802, "[n,4]double", lambda: price.weigh(np.zeros((2, 3))))
assert (e.line, e.column) == (10, 1) and isinstance(e, TypeError)
fails(price.RankError, None, "rank 2", lambda: price.mean(np.zeros((2, 2))))
fails(price.RankError, None, "rank 0", lambda: price.mean(None))
fails(price.ElementTypeError, None, "<U1", lambda: price.mean("abc"))
fails(price.ElementTypeError, None, "<U3", lambda: price.mean(["abc", "def"]))
fails(price.ElementTypeError, None, "float64", lambda: price.isprime(7.0))
fails(price.ElementTypeError, None, "object", lambda: price.mean([None]))
fails(price.ElementTypeError, None, "datetime", lambda: price.mean(np.array(["2020-01-01"], "M8[D]")))
fails(price.ElementTypeError, None, "object", lambda: price.fib(np.array(2**70)))
fails(OverflowError, None, "64 bits", lambda: price.isprime(7) and price.isprime(2**70))
fails(OverflowError, None, "64 bits", lambda: price.steps(np.array([2**64 - 1], "u8")))
fails(TypeError, None, "takes 1", lambda: price.mean())
fails(price.IndexOutsideError, 501, "index 3", lambda: price.pick([1, 2], [3]))
fails(IndexError, 501, "index 0", lambda: price.pick([1, 2], [0]))
fails(price.DomainError, 606, "integer overflow", lambda: price.steps([2**62, 2**62]))
fails(price.DomainError, 613, "price.apl:21:", lambda: price.growth([1000]))

bad = []


def work(k):
    for _ in range(300):
        if price.mean(np.full(100, k + 0.5)) != k + 0.5:
            bad.append(k)
        try:
            price.pick([1, 2], [k + 3])
        except IndexError as e:
            if "index %d " % (k + 3) not in str(e):
                bad.append(str(e))


threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
assert not bad, bad[:3]
print("done")
