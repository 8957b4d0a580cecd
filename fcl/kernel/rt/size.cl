// a length
long fcl_size(long n, __global long *fault, int site)
{
	if (n >= 0)
		return n;
	fcl_fault(fault, site, n, 0);
	return 0;
}
