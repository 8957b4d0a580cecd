// Tiles of 16 by 16, with a column of padding against conflicts of banks.
__kernel void transposed(__global const double *restrict x, __global double *restrict y, long rows, long cols)
{
	__local double tile[16][17];
	long across = (cols + 15) / 16;
	int lj = get_local_id(0) % 16, li = get_local_id(0) / 16;
	long i = get_group_id(0) / across * 16, j = get_group_id(0) % across * 16;
	if (i + li < rows && j + lj < cols)
		tile[li][lj] = x[(i + li) * cols + j + lj];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (j + li < cols && i + lj < rows)
		y[(j + li) * rows + i + lj] = tile[lj][li];
}
