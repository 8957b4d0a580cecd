// a length for which there is memory
long fcl_fit(long n, long most, __global long *fault, int site)
{
	if (n <= most)
		return n;
	fcl_fault(fault, site, n, most);
	return most;
}
