/* Twin of words.apl. Arguments: n. One pass finds words and hashes them as it goes; a table of 32-bit
 * numbers of words that are kept as places in the text. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300);
    double start = now_ms();
    char *text = array_of((size_t)n + 8, 1);
#pragma omp parallel for
    for (int64_t i = 1; i <= n; i++) text[i - 1] = "eeeettaaoinshr    "[(uint32_t)((uint64_t)i * (uint64_t)i * 7919 % 2147483647 / 11) % 18];
    memset(text + n, ' ', 8);
    int64_t room = 1024, known = 0, words = 0, letters = 0, longest = 0, where = 0;
    uint32_t *table = calloc((size_t)room, sizeof *table);
    int64_t cap = 1024;
    struct word { int64_t at; uint32_t hash; int32_t len; int32_t count; } *list = malloc((size_t)cap * sizeof *list);
    for (int64_t i = 0; i < n;) {
        if (text[i] == ' ') {
            i++;
            continue;
        }
        int64_t from = i;
        uint32_t h = 2166136261u;
        for (; text[i] != ' '; i++) h = (h ^ (uint8_t)text[i]) * 16777619u;
        h ^= h >> 15;
        int32_t len = (int32_t)(i - from);
        words++, letters += len;
        if (len > longest) longest = len, where = from;
        uint64_t k = h & (uint64_t)(room - 1);
        for (; table[k]; k = (k + 1) & (uint64_t)(room - 1)) {
            struct word *w = &list[table[k] - 1];
            if (w->hash == h && w->len == len && !memcmp(text + w->at, text + from, (size_t)len)) break;
        }
        if (table[k]) {
            list[table[k] - 1].count++;
            continue;
        }
        if (known == cap) list = realloc(list, (size_t)(cap *= 2) * sizeof *list);
        list[known] = (struct word){from, h, len, 1};
        table[k] = (uint32_t)++known;
        if (2 * known > room) {
            free(table);
            table = calloc((size_t)(room *= 2), sizeof *table);
            for (int64_t j = 0; j < known; j++) {
                k = list[j].hash & (uint64_t)(room - 1);
                while (table[k]) k = (k + 1) & (uint64_t)(room - 1);
                table[k] = (uint32_t)(j + 1);
            }
        }
    }
    int64_t top[5], m = 0;
    for (; m < 5 && m < known; m++) {
        int64_t best = -1;
        for (int64_t j = 0; j < known; j++) {
            int taken = 0;
            for (int64_t t = 0; t < m; t++) taken |= top[t] == j;
            if (!taken && (best < 0 || list[j].count > list[best].count)) best = j;
        }
        top[m] = best;
    }
    report_ms(start);
    apl_print((double)words, (double)letters, (double)longest);
    printf("%.*s\n", (int)longest, text + where);
    apl_print((double)known, list[top[0]].count);
    int width = 0;
    double counts[5];
    for (int64_t t = 0; t < m; t++) {
        counts[t] = list[top[t]].count;
        width = list[top[t]].len > width ? list[top[t]].len : width;
    }
    for (int64_t t = 0; t < m; t++) printf("%-*.*s\n", width, list[top[t]].len, text + list[top[t]].at);
    apl_vector(counts, (int)m);
    return 0;
}
