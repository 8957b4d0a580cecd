__kernel void copy(__global const double *restrict x, __global double *restrict y, long n)
{
	long i = get_global_id(0);
	if (i < n)
		y[i] = x[i];
}
