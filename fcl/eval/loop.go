package eval

// loop and until change a value step by step. Arrays among it are computed after each step, so
// that an element that is used twice is not computed twice.

func loop(c *call) Value {
	v := strict(c.args[2])
	for i := range c.int(0) {
		v = strict(c.apply(1, Int(i), v))
	}
	return v
}

func until(c *call) Value {
	v := strict(c.args[2])
	for c.apply(0, v).(Scalar).I == 0 {
		v = strict(c.apply(1, v))
	}
	return v
}

// strict returns a value whose arrays are computed.
func strict(v Value) Value {
	switch v := v.(type) {
	case Tuple:
		made := make(Tuple, len(v))
		for i, item := range v {
			made[i] = strict(item)
		}
		return made
	case *Pull:
		if v.Stored != nil {
			return v
		}
		elems := make([]Value, v.N)
		for i := range elems {
			elems[i] = strict(v.At(int64(i)))
		}
		return Vector(elems)
	}
	return v
}
