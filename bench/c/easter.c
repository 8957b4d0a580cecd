/* Twin of testdata/programs/easter.apl. Arguments: n.
 * Timed: the whole computation, fused, in 32-bit integers: every division
 * is by a constant and vectorises as a multiplication. */
#include "apl_out.h"

static inline int32_t easter(uint32_t year) {
    uint32_t golden = 1 + year % 19, century = 1 + year / 100;
    uint32_t dropped = 3 * century / 4, orbit = (5 + 8 * century) / 25;
    uint32_t sunday = 5 * year / 4 - dropped + 2;
    /* 3000000 is a multiple of 30 that keeps the sum positive. */
    uint32_t e = (3000000 + 20 + 11 * golden + orbit + 7 - dropped) % 30;
    uint32_t epact = e + ((e == 24) | ((e == 25) & (golden > 11)));
    uint32_t full = 44 - epact + (epact > 23 ? 30 : 0);
    uint32_t day = full + 7 - (sunday + full) % 7;
    return (int32_t)(day > 31 ? 400 + day - 31 : 300 + day);
}

int main(int argc, char **argv) {
    int32_t n = (int32_t)size_arg(argc, argv, 1, 3000);
    double start = now_ms();
    int64_t sum = 0, a = 0, b = 0, c = 0, d = 0;
    int32_t least = 1000, most = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, a, b, c, d) \
    reduction(min : least) reduction(max : most)
    for (int32_t block = 0; block < n; block += 4096) {
        int32_t end = block + 4096 < n ? block + 4096 : n;
        int32_t s = 0, p = 0, q = 0, r = 0, t = 0, lo = 1000, hi = 0;
        for (int32_t i = block; i < end; i++) {
            int32_t date = easter((uint32_t)i + 1);
            s += date;
            p += date == 322;
            q += date == 331;
            r += date == 401;
            t += date == 425;
            lo = date < lo ? date : lo;
            hi = date > hi ? date : hi;
        }
        sum += s, a += p, b += q, c += r, d += t;
        least = lo < least ? lo : least;
        most = hi > most ? hi : most;
    }
    double ten[10];
    for (int i = 0; i < 10; i++) ten[i] = easter((uint32_t)(2000 + i));
    report_ms(start);
    apl_print((double)sum, least, most);
    apl_print((double)a, (double)b, (double)c, (double)d);
    apl_vector(ten, 10);
    return 0;
}
