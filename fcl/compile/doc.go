// Package compile turns FCL programs into OpenCL kernels and a plan of the host.
//
// In: a use of main whose types are known, and its arguments: numbers, which become
// constants of the kernels, and arrays, whose lengths the host knows. Out: a Plan.
//
// It evaluates the program with symbols in place of numbers. What the thesis calls
// administrative steps happens here: functions are applied, tuples and pull arrays vanish,
// polymorphic functions are instantiated where they are used, maps fuse. Scalars that are
// bound to names become variables. Push arrays become loops by their level: thread a
// sequential one, block one over the work-items of a group, grid one over all of them, or over
// the groups, where blocks make it; any number of elements goes with any number of work-items.
// A warp is a sub-group, where the device has them (#Warps is 3); else a slice of #WarpSize
// work-items of a group, which has no others and goes through the warps (2), or one work-item,
// which goes through the elements (1).
//
//	fun main arr = splitUp 4 arr |> map (fn c => return<block> (push<block> (reverse c))) |> concat 4
//
//	for (long i = get_group_id(0); i < (n + 3) / 4; i += get_num_groups(0))
//		for (long j = get_local_id(0); j < min(4, n - i * 4); j += get_local_size(0))
//			out[fcl_check(i * 4 + j, …)] = arr[i * 4 + (min(4, n - i * 4) - j - 1)];
//
// Arrays of tuples are tuples of arrays. Loops (power, while) have two arrays, which they
// write in turn. Arrays of threads are in registers where their length is a small constant, and in
// scratch memory elsewhere.
package compile
