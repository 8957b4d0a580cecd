package ulp

import "math/big"

// complexBig is a complex number of high precision.
type complexBig struct{ re, im *big.Float }

func complexOf(z complex128) complexBig { return complexBig{num(real(z)), num(imag(z))} }

func (x complexBig) add(y complexBig) complexBig { return complexBig{add(x.re, y.re), add(x.im, y.im)} }
func (x complexBig) sub(y complexBig) complexBig { return complexBig{sub(x.re, y.re), sub(x.im, y.im)} }
func (x complexBig) mul(y complexBig) complexBig {
	return complexBig{sub(mul(x.re, y.re), mul(x.im, y.im)), add(mul(x.re, y.im), mul(x.im, y.re))}
}

func (x complexBig) quo(y complexBig) complexBig {
	n, d := x.mul(complexBig{y.re, neg(y.im)}), add(mul(y.re, y.re), mul(y.im, y.im))
	return complexBig{quo(n.re, d), quo(n.im, d)}
}

func (x complexBig) half() complexBig { return complexBig{scale(x.re, -1), scale(x.im, -1)} }

// timesI returns 0J1×x, overI ¯1 times that.
func (x complexBig) timesI() complexBig { return complexBig{neg(x.im), x.re} }
func (x complexBig) overI() complexBig  { return complexBig{x.im, neg(x.re)} }

func (x complexBig) abs() *big.Float { return sqrt(add(mul(x.re, x.re), mul(x.im, x.im))) }

func (x complexBig) exp() complexBig {
	r := exp(x.re)
	s, c := sincos(x.im)
	return complexBig{mul(r, c), mul(r, s)}
}

func (x complexBig) ln() complexBig {
	angle := scale(num(0).Set(pi), -1)
	if x.re.Sign() == 0 {
		if x.im.Sign() < 0 {
			angle = neg(angle)
		}
		return complexBig{ln(x.abs()), angle}
	}
	angle = arctan(quo(x.im, x.re))
	switch {
	case x.re.Sign() < 0 && x.im.Sign() < 0:
		angle = sub(angle, pi)
	case x.re.Sign() < 0:
		angle = add(angle, pi)
	}
	return complexBig{ln(x.abs()), angle}
}

func (x complexBig) sqrt() complexBig {
	if x.re.Sign() == 0 && x.im.Sign() == 0 {
		return x
	}
	return x.ln().half().exp()
}

var complexOne = complexOf(1)

func (x complexBig) sinh() complexBig {
	e := x.exp()
	return e.sub(complexOne.quo(e)).half()
}

func (x complexBig) cosh() complexBig {
	e := x.exp()
	return e.add(complexOne.quo(e)).half()
}

func (x complexBig) tanh() complexBig { return x.sinh().quo(x.cosh()) }

func (x complexBig) arcsinh() complexBig {
	return x.add(x.mul(x).add(complexOne).sqrt()).ln()
}

func (x complexBig) arccosh() complexBig {
	l := x.add(complexOne).half().sqrt().add(x.sub(complexOne).half().sqrt()).ln()
	return l.add(l)
}

func (x complexBig) arctanh() complexBig {
	return x.add(complexOne).ln().sub(complexOne.sub(x).ln()).half()
}

func (x complexBig) arccos() complexBig {
	r := x.timesI().arcsinh().overI()
	return complexBig{sub(scale(num(0).Set(pi), -1), r.re), neg(r.im)}
}
