"""Calls of the library for OpenCL, with arrays that stay on the device."""
import threading

import numpy as np

import price


def fails(kind, code, text, call):
    try:
        result = call()
    except kind as e:
        assert text in str(e), str(e)
        assert e.code == code, e.code
        return
    raise AssertionError("%r is no %s" % (result, kind.__name__))


years = np.arange(100_000) % 30 + 0.5
device = price.Device(years)
assert device.shape == (100_000,) and device.ndim == 1 and device.dtype == np.float64
worth = price.price(100, device)
assert type(worth) is price.Device and "shape (100000,)" in repr(worth)
mean = price.mean(worth)
assert mean.shape == () and abs(float(mean.numpy()) - (100 * np.exp(-0.05 * years)).mean()) < 1e-9
assert np.allclose(worth.numpy(), 100 * np.exp(-0.05 * years)) and np.allclose(np.asarray(worth), worth.numpy())
square = price.Device(np.arange(90_000.0).reshape(300, 300) % 7)
cube = price.product(price.product(square, square), square).numpy()
assert np.allclose(cube, np.linalg.matrix_power(square.numpy(), 3))
assert price.product(square, np.eye(300)).numpy().tolist() == square.numpy().tolist(), "an array of NumPy beside one on the device"
low, high = price.parts(price.Device([-1, 5, -7]))
assert low.numpy().tolist() == [-1, -7] and high.dtype == np.int64
assert price.steps(low).numpy().tolist() == [-1, -8]
assert price.pick(price.Device("hello"), [5, 1]).numpy().tolist() == ["o", "h"]
assert price.turn(price.Device([[1, 2], [3, 4]])).numpy().tolist() == [[2, 1], [4, 3]]
assert price.Device(np.arange(12.0)[::3]).numpy().tolist() == [0, 3, 6, 9], "strides"
assert price.growth(price.Device(np.zeros(0))).shape == (0,)

fails(price.ElementTypeError, 802, "[m,k]double", lambda: price.product(square, price.Device(np.ones((2, 2)))))
fails(price.RankError, 3, "rank 2", lambda: price.mean(square))
fails(price.ElementTypeError, 2, "double", lambda: price.steps(worth))
fails(price.ElementTypeError, 0, "object", lambda: price.Device([None]))
fails(price.DomainError, 613, "overflow", lambda: price.growth(price.Device(np.full(50_000, 1e9))))
assert price.mean(worth).shape == (), "after an error"
worth.release()
worth.release()
fails(price.MissingValueError, 1, "released", lambda: price.mean(worth))
fails(price.MissingValueError, 1, "released", worth.numpy)
assert "released" in repr(worth)

wrong = []


def work(k):
    mine = price.Device(np.full(5000, float(k)))
    for _ in range(20):
        if price.mean(price.price(1.0, mine)).numpy() != price.mean(price.price(1.0, mine)).numpy() or price.mean(mine).numpy() != k:
            wrong.append(k)


threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
assert not wrong
print("done")
