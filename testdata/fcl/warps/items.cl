__kernel void kernel1_line1(__global long *fault, __global long *restrict a_15, __global long *restrict out_4, __global const long *restrict arg_2, __local uchar *local0, __local uchar *local1, long n_3, long n_1)
{
	for (long i_5 = get_group_id(0); i_5 < n_3; i_5 += get_num_groups(0)) {
		long n_6 = min((long)12, (long)(n_1 - i_5 * 12));
		__local long *a_7 = (__local long *)local0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_local_id(0) < n_6) {
			long i_8 = get_local_id(0);
			int i_9 = (int)n_6 - (int)i_8 - 1;
			long i_10 = i_5 * 12 + i_9;
			a_7[i_8] = arg_2[i_10];
		}
		int n_11 = ((int)n_6 + 3) / 4;
		__local long *a_12 = (__local long *)local1;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_local_id(0) < n_11) {
			long i_13 = get_local_id(0);
			int n_14 = min((int)4, (int)((int)n_6 - (int)i_13 * 4));
			for (long i_16 = 0; i_16 < n_14; i_16++) {
				int i_17 = (int)i_13 * 4 + (int)i_16;
				a_15[i_16 * get_global_size(0) + get_global_id(0)] = a_7[i_17];
			}
			for (long i_18 = 0; i_18 < n_14; i_18++) {
				int i_19 = n_14 - (int)i_18 - 1;
				int k_20 = (int)i_13 * 4 + (int)i_18;
				a_12[k_20] = a_15[i_19 * get_global_size(0) + get_global_id(0)];
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_local_id(0) < n_6) {
			long i_21 = get_local_id(0);
			int i_22 = (int)n_6 - (int)i_21 - 1;
			long k_23 = i_5 * 12 + i_21;
			out_4[k_23] = (long)((ulong)a_12[i_21] - a_7[i_22]);
		}
	}
}

