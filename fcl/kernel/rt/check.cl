// Checks of compiled FCL. The first fault of a launch is noted: its place in the source,
// and two numbers for its message. The run goes on with a value that does no harm.

void fcl_fault(__global long *fault, int site, long a, long b)
{
	if (atomic_cmpxchg((volatile __global int *)fault, 0, site) == 0) {
		fault[1] = a;
		fault[2] = b;
	}
}

// an index into n elements
long fcl_check(long i, long n, __global long *fault, int site)
{
	if (i >= 0 && i < n)
		return i;
	fcl_fault(fault, site, i, n);
	return 0;
}

// a length
long fcl_size(long n, __global long *fault, int site)
{
	if (n >= 0)
		return n;
	fcl_fault(fault, site, n, 0);
	return 0;
}

// a length for which there is memory
long fcl_fit(long n, long most, __global long *fault, int site)
{
	if (n <= most)
		return n;
	fcl_fault(fault, site, n, most);
	return most;
}

// a length that must be another
long fcl_same(long n, long want, __global long *fault, int site)
{
	if (n == want)
		return want;
	fcl_fault(fault, site, n, want);
	return min(n, want);
}

// division of whole numbers; the quotient of the least one by -1 wraps
#define FCL_DIVIDE(T, U) \
	T fcl_div_##T(T a, T b, __global long *fault, int site) \
	{ \
		if (b == 0) { \
			fcl_fault(fault, site, 0, 0); \
			return 0; \
		} \
		return b == -1 ? (T)(0 - (U)a) : (T)(a / b); \
	} \
	T fcl_mod_##T(T a, T b, __global long *fault, int site) \
	{ \
		if (b == 0) { \
			fcl_fault(fault, site, 0, 0); \
			return 0; \
		} \
		return b == -1 ? (T)0 : (T)(a % b); \
	}
FCL_DIVIDE(char, uchar)
FCL_DIVIDE(short, ushort)
FCL_DIVIDE(int, uint)
FCL_DIVIDE(long, ulong)

// minimum and maximum that give the left operand where neither is less
float fcl_min_float(float a, float b) { return b < a ? b : a; }
float fcl_max_float(float a, float b) { return a < b ? b : a; }
