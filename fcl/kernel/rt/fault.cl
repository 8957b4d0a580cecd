// Checks of compiled FCL. The first fault of a launch is noted: its place in the source,
// and two numbers for its message. The run goes on with a value that does no harm.

void fcl_fault(__global long *fault, int site, long a, long b)
{
	if (atomic_cmpxchg((volatile __global int *)fault, 0, site) == 0) {
		fault[1] = a;
		fault[2] = b;
	}
}
