// Sums of chunks, one by each group: a tree of the sums of its work-items.
__kernel void sums(__global const double *restrict x, __global double *restrict parts, long n, long chunk)
{
	__local double tree[256];
	long from = get_group_id(0) * chunk, to = min(from + chunk, n);
	int me = get_local_id(0);
	double s = 0;
	for (long i = from + me; i < to; i += 256)
		s += x[i];
	tree[me] = s;
	for (int half_ = 128; half_ > 0; half_ /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me < half_)
			tree[me] += tree[me + half_];
	}
	if (me == 0)
		parts[get_group_id(0)] = tree[0];
}
