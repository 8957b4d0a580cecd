// a length that must be another
long fcl_same(long n, long want, __global long *fault, int site)
{
	if (n == want)
		return want;
	fcl_fault(fault, site, n, want);
	return min(n, want);
}
