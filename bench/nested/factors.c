/* Twin of factors.apl. Arguments: n. Least factors by a sieve; nothing else is stored. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 100);
    double start = now_ms();
    int32_t *f = array_of(n + 1, 4); memset(f, 0, (n + 1) * 4);
    for (int p = 2; (int64_t)p * p <= n; p++) if (!f[p]) for (int k = p * p; k <= n; k += p) if (!f[k]) f[k] = p;
    int64_t total = 0, primes = 0, equal = 1, smooth = 1; int most = 0, kinds = 0, ok = 1;
    for (int i = 2; i <= n; i++) {
        int x = i, k = 0, u = 0, last = 0; int64_t prod = 1;
        while (x > 1) { int p = f[x] ? f[x] : x; k++; u += p != last; last = p; prod *= p; x /= p; }
        ok &= prod == i; total += k; primes += k == 1; equal += k == u; smooth += last <= 7;
        most = k > most ? k : most; kinds = u > kinds ? u : kinds;
    }
    report_ms(start);
    apl_print(ok, total, most, primes, equal, kinds, smooth);
    return 0;
}
