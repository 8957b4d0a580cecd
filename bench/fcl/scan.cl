// Sums of blocks of 1024, their running sums by one group, and the blocks themselves.

double before(double mine, __local double *line) // the sum of the items to the left
{
	int me = get_local_id(0);
	line[me] = mine;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int by = 1; by < 256; by *= 2) {
		double other = me >= by ? line[me - by] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		line[me] += other;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	return line[me] - mine;
}

__kernel void totals(__global const double *x, __global double *sums, long n)
{
	__local double line[256];
	long at = get_group_id(0) * 1024 + get_local_id(0) * 4;
	double s = 0;
	for (int k = 0; k < 4; k++)
		s += at + k < n ? x[at + k] : 0;
	double left = before(s, line);
	if (get_local_id(0) == 255)
		sums[get_group_id(0)] = left + s;
}

__kernel void carry(__global double *sums, long blocks)
{
	__local double line[256];
	double total = 0;
	for (long at = 0; at < blocks; at += 256) {
		long i = at + get_local_id(0);
		double s = i < blocks ? sums[i] : 0, left = before(s, line);
		if (i < blocks)
			sums[i] = total + left;
		total += line[255];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

__kernel void scan(__global const double *restrict x, __global double *restrict y, __global const double *sums, long n)
{
	__local double line[256];
	long at = get_group_id(0) * 1024 + get_local_id(0) * 4;
	double s = 0;
	for (int k = 0; k < 4; k++)
		s += at + k < n ? x[at + k] : 0;
	s = sums[get_group_id(0)] + before(s, line);
	for (int k = 0; k < 4; k++)
		if (at + k < n) {
			s += x[at + k];
			y[at + k] = s;
		}
}
