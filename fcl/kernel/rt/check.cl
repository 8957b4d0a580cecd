// an index into n elements
long fcl_check(long i, long n, __global long *fault, int site)
{
	if (i >= 0 && i < n)
		return i;
	fcl_fault(fault, site, i, n);
	return 0;
}
