/* Twin of lud.apl. Arguments: p, b, for blocks of b columns of a matrix of p×b. */
#include "../c/lu.h"

int main(int argc, char **argv) {
    int p = (int)size_arg(argc, argv, 1, 3), block = (int)size_arg(argc, argv, 2, 8), n = p * block;
    double start = now_ms();
    struct decomposed d = decomposed(n, block);
    report_ms(start);
    size_t size = (size_t)n * (size_t)n;
    apl_scalar(apl_round(8, d.logs / n));
    apl_scalar(apl_round(8, d.residual));
    apl_print(apl_round(8, d.f[n - 1]), apl_round(8, d.f[size - (size_t)n]), apl_round(8, d.f[size - 1]));
    return 0;
}
