// Division of whole numbers of type T, whose unsigned type is U. The quotient of the least
// one by -1 wraps.
T DIVIDE(T a, T b, __global long *fault, int site)
{
	if (b == 0) {
		fcl_fault(fault, site, 0, 0);
		return 0;
	}
	return b == -1 ? (T)(0 - (U)a) : (T)(a / b);
}

T REMAINDER(T a, T b, __global long *fault, int site)
{
	if (b == 0) {
		fcl_fault(fault, site, 0, 0);
		return 0;
	}
	return b == -1 ? (T)0 : (T)(a % b);
}
