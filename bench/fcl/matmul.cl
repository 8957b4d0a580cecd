// Blocks of 64 by 64 elements a group of 256 work-items, 4 by 4 an item in registers, terms
// in slices of 16 through local memory.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void product(__global const double *restrict a, __global const double *restrict b, __global double *restrict c, long n)
{
	__local double ta[16][65], tb[16][65];
	int me = get_local_id(0), li = me / 16, lj = me % 16;
	long across = (n + 63) / 64, top = get_group_id(0) / across * 64, left = get_group_id(0) % across * 64;
	double s[4][4] = {{0}};
	for (long k = 0; k < n; k += 16) {
		for (int t = me; t < 1024; t += 256) {
			int r = t / 16, q = t % 16;
			ta[q][r] = top + r < n && k + q < n ? a[(top + r) * n + k + q] : 0;
			r = t / 64, q = t % 64;
			tb[r][q] = left + q < n && k + r < n ? b[(k + r) * n + left + q] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int q = 0; q < 16; q++)
			for (int i = 0; i < 4; i++)
				for (int j = 0; j < 4; j++)
					s[i][j] += ta[q][li + 16 * i] * tb[q][lj + 16 * j];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			long r = top + li + 16 * i, q = left + lj + 16 * j;
			if (r < n && q < n)
				c[r * n + q] = s[i][j];
		}
}
