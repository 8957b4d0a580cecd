#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double fcl_min_double(double a, double b) { return b < a ? b : a; }
double fcl_max_double(double a, double b) { return a < b ? b : a; }
