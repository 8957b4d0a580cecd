/* Twin of booking.apl. Arguments: n. Beginnings are sorted by counting them in buckets of digits, the rest is one pass. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    uint64_t *a = array_of((size_t)n, 8), *b = array_of((size_t)n, 8), span = (uint64_t)(40 * n);
    for (int64_t k = 0; k < n; k++) {
        uint64_t i = (uint64_t)k + 1;
        a[k] = (i * 104729 / 3 % span) << 8 | i * i % 89;
    }
    int bits = 64 - __builtin_clzll(span);
    for (int shift = 8; shift < 8 + bits; shift += 11) {
        static uint32_t place[2048];
        memset(place, 0, sizeof place);
        for (int64_t k = 0; k < n; k++) place[a[k] >> shift & 2047]++;
        uint32_t at = 0;
        for (int d = 0; d < 2048; d++) {
            uint32_t c = place[d];
            place[d] = at, at += c;
        }
        for (int64_t k = 0; k < n; k++) b[place[a[k] >> shift & 2047]++] = a[k];
        uint64_t *t = a;
        a = b, b = t;
    }
    int64_t count = 0, sum = 0, longest = 0, gap = INT64_MIN, begin = 0, end = 0;
    for (int64_t k = 0; k <= n; k++) {
        int64_t f = k < n ? (int64_t)(a[k] >> 8) : INT64_MAX;
        if (!k || f > end) {
            if (k) {
                count++, sum += end - begin;
                longest = end - begin > longest ? end - begin : longest;
                if (k < n && f - end > gap) gap = f - end;
            }
            if (k == n) break;
            begin = f, end = f;
        }
        int64_t t = f + 5 + (int64_t)(a[k] & 255);
        end = t > end ? t : end;
    }
    report_ms(start);
    apl_print((double)count, (double)sum, (double)longest, (double)gap);
    return 0;
}
