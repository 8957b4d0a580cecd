/* Twin of queens.apl. Arguments: n. A bit for each column and diagonal. */
#include "../c/apl_out.h"

static int64_t count(uint32_t all, uint32_t cols, uint32_t left, uint32_t right) {
    if (cols == all) return 1;
    int64_t ways = 0;
    for (uint32_t free = all & ~(cols | left | right); free; free &= free - 1) {
        uint32_t q = free & -free;
        ways += count(all, cols | q, (left | q) << 1, (right | q) >> 1);
    }
    return ways;
}

static int first(uint32_t all, uint32_t cols, uint32_t left, uint32_t right, double *at) {
    if (cols == all) return 1;
    for (uint32_t free = all & ~(cols | left | right); free; free &= free - 1) {
        uint32_t q = free & -free;
        *at = __builtin_ctz(q) + 1;
        if (first(all, cols | q, (left | q) << 1, (right | q) >> 1, at + 1)) return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 6);
    double start = now_ms(), at[32];
    uint32_t all = (1u << n) - 1;
    int64_t ways = count(all, 0, 0, 0);
    first(all, 0, 0, 0, at);
    report_ms(start);
    apl_scalar((double)ways);
    apl_vector(at, (int)n);
    return 0;
}
