/* Twin of csvfields.apl. Arguments: n. The text is made, then read once; prices are in cents. */
#include "../c/apl_out.h"

static char *number(char *p, uint32_t x) {
    if (x >= 100) *p++ = (char)('0' + x / 100);
    if (x >= 10) *p++ = (char)('0' + x / 10 % 10);
    *p++ = (char)('0' + x % 10);
    return p;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 30);
    double start = now_ms();
    char *text = array_of((size_t)n * 12, 1), *end = text;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t u = (uint64_t)i;
        uint32_t price = 100 + (uint32_t)(u * 7919 % 1000003 / 3 % 900);
        *end++ = "ABCDEFGH"[u * u % 1000003 / 7 % 8];
        *end++ = ',';
        end = number(end, 1 + (uint32_t)(u * (31 + u) % 1000003 / 5 % 99));
        *end++ = ',';
        *end++ = (char)('0' + price / 100);
        if (price % 100) {
            *end++ = '.';
            *end++ = (char)('0' + price / 10 % 10);
            if (price % 10) *end++ = (char)('0' + price % 10);
        }
        *end++ = '\n';
    }
    int64_t sold[8] = {0}, count[8] = {0}, lines = 0;
    int order[8], known = 0, place[8];
    memset(place, -1, sizeof place);
    for (char *p = text; p < end; lines++) {
        int name = *p - 'A', qty = 0, cents = 0;
        for (p += 2; *p != ','; p++) qty = 10 * qty + *p - '0';
        cents = 100 * (*++p - '0');
        if (*++p == '.') {
            cents += 10 * (*++p - '0');
            if (*++p != '\n') cents += *p++ - '0';
        }
        p++;
        if (place[name] < 0) order[place[name] = known++] = name;
        sold[name] += qty * cents;
        count[name]++;
    }
    double s[8], c[8];
    for (int k = 0; k < known; k++) s[k] = (double)sold[order[k]], c[k] = (double)count[order[k]];
    report_ms(start);
    apl_print((double)(end - text), (double)lines);
    apl_vector(s, known);
    apl_vector(c, known);
    return 0;
}
