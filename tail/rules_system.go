package tail

import "github.com/tailor-lang/tailor/array"

// typeText types the display of x: the display of a scalar is a vector.
func typeText(t *typing, x *Array) Type {
	if x.Elem == array.Char && x.Dims() > 0 {
		return Shaped(array.Char, Extents(x)...)
	}
	if x.Dims() < 2 {
		return Ranked(array.Char, 1)
	}
	sizes := Extents(x)
	sizes[len(sizes)-1] = AnySize
	return Shaped(array.Char, sizes...)
}

func typePicture(t *typing) Type {
	t.precision()
	t.vector(0, array.Char)
	for i := range t.args {
		t.array(i)
	}
	return Ranked(array.Char, 2)
}

func typeFormatBy(t *typing) Type {
	t.vector(0, array.Int)
	return typeText(t, t.array(1))
}

func typeStop(t *typing) Type {
	t.vector(0, array.Char)
	t.scalar(1, array.Int)
	return Scalar(array.Int)
}

func typeWriteText(t *typing) Type {
	t.vector(0, array.Char)
	t.vector(1, array.Char)
	t.scalar(2, array.Int)
	return Scalar(array.Int)
}

func typeReceive(t *typing) Type {
	t.scalar(0, array.Int)
	t.needs(-1, "the element type and rank of what is received have to be given")
	return Ranked(array.Int, 1)
}

func typeReadNpy(t *typing) Type {
	t.vector(0, array.Char)
	t.needs(-1, "the element type and rank of the file have to be given by an annotation")
	return Ranked(array.Double, 1)
}
