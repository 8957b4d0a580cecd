/* Twin of testdata/programs/wordcount.apl. Arguments: file.
 * Timed: everything but reading the file. Sixty-four characters become a mask
 * of letters; words are its rising edges, and the longest word is looked for
 * only where a mask holds a run longer than the longest so far. */
#include "apl_out.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

static inline int is_letter(uint8_t c) { return (uint8_t)((c | 32) - 'a') < 26; }

static inline uint64_t letter_mask(const uint8_t *t) {
    uint64_t mask = 0;
#ifdef __AVX2__
    for (int h = 0; h < 2; h++) {
        __m256i c = _mm256_loadu_si256((const __m256i *)(t + 32 * h));
        __m256i x = _mm256_sub_epi8(_mm256_or_si256(c, _mm256_set1_epi8(32)), _mm256_set1_epi8('a'));
        __m256i in = _mm256_cmpeq_epi8(_mm256_min_epu8(x, _mm256_set1_epi8(25)), x);
        mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(in) << (32 * h);
    }
#else
    for (int k = 0; k < 64; k++) mask |= (uint64_t)is_letter(t[k]) << k;
#endif
    return mask;
}

/* Whether mask holds k ones in a row. */
static inline int has_run(uint64_t mask, int k) {
    int have = 1;
    for (; 2 * have <= k; have *= 2) mask &= mask >> have;
    return k > have ? (mask & mask >> (k - have)) != 0 : mask != 0;
}

struct counts {
    int64_t letters, words, of[6], longest;
};

/* Counts text[from … to-1]. A word belongs to the part in which it starts, so
 * its length is followed beyond the end of the part, up to the end of text. */
static void count(const uint8_t *text, int64_t from, int64_t to, int64_t n, struct counts *c) {
    static const uint8_t wanted[6] = {'e', 't', 'a', 'o', 'i', 'n'};
    uint64_t last = from > 0 && is_letter(text[from - 1]);
    int64_t run = 0, longest = 0, i = from;
    if (last) /* the rest of a word that started earlier counts there */
        run = INT64_MIN / 2;
    for (; i + 64 <= to; i += 64) {
        uint64_t mask = letter_mask(text + i);
        c->letters += __builtin_popcountll(mask);
        c->words += __builtin_popcountll(mask & ~(mask << 1 | last));
        last = mask >> 63;
        if (~mask == 0) {
            run += 64;
            continue;
        }
        int head = __builtin_ctzll(~mask);
        longest = run + head > longest ? run + head : longest;
        while (longest < 63 && has_run(mask & ~((1ull << head) - 1), (int)longest + 1)) longest++;
        run = __builtin_clzll(~mask);
    }
    for (; i < to; i++) {
        uint64_t l = (uint64_t)is_letter(text[i]);
        c->letters += (int64_t)l;
        c->words += (int64_t)(l & ~last);
        last = l;
        run = l ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (; last && i < n && is_letter(text[i]); i++) run++;
    c->longest = run > longest ? run : longest;
    for (int64_t b = from; b < to; b += 8160) {
        int64_t end = b + 8160 < to ? b + 8160 : to, k = b;
        uint8_t lane[6][32] = {{0}};
        for (; k + 32 <= end; k += 32)
            for (int w = 0; w < 6; w++)
                for (int l = 0; l < 32; l++) lane[w][l] = (uint8_t)(lane[w][l] + (text[k + l] == wanted[w]));
        for (int w = 0; w < 6; w++) {
            for (int l = 0; l < 32; l++) c->of[w] += lane[w][l];
            for (int64_t j = k; j < end; j++) c->of[w] += text[j] == wanted[w];
        }
    }
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "testdata/programs/wordcount.txt";
    FILE *f = fopen(name, "rb");
    if (!f) {
        fprintf(stderr, "wordcount: cannot open %s\n", name);
        return 1;
    }
    fseek(f, 0, SEEK_END);
    int64_t n = ftell(f);
    rewind(f);
    uint8_t *text = array_of((size_t)n + 64, 1);
    if (fread(text, 1, (size_t)n, f) != (size_t)n) return 1;
    fclose(f);
    double start = now_ms();
    struct counts all = {0};
#pragma omp parallel
    {
        int me = 0, parts = 1;
#ifdef _OPENMP
        me = omp_get_thread_num(), parts = omp_get_num_threads();
#endif
        struct counts mine = {0};
        count(text, n * me / parts, n * (me + 1) / parts, n, &mine);
#pragma omp critical
        {
            all.letters += mine.letters, all.words += mine.words;
            all.longest = mine.longest > all.longest ? mine.longest : all.longest;
            for (int w = 0; w < 6; w++) all.of[w] += mine.of[w];
        }
    }
    report_ms(start);
    apl_print((double)n, (double)all.letters, (double)all.words);
    double of[6];
    for (int w = 0; w < 6; w++) of[w] = (double)all.of[w];
    apl_vector(of, 6);
    apl_scalar((double)all.longest);
    return 0;
}
