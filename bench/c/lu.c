/* Twin of testdata/programs/lu.apl. Arguments: n.
 * Timed: making the matrix, the decomposition and the checks. */
#include "lu.h"

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 24), block = 32;
    double start = now_ms();
    struct decomposed d = decomposed(n, block);
    report_ms(start);
    size_t size = (size_t)n * (size_t)n;
    apl_scalar(apl_round(8, d.logs / n));
    apl_scalar(apl_round(8, d.residual));
    apl_print(apl_round(8, d.f[n - 1]), apl_round(8, d.f[size - (size_t)n]), apl_round(8, d.f[size - 1]));
    return 0;
}
