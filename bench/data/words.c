/* Writes the text of the word-count benchmark: lines of words with lengths
 * and letters from a linear congruential generator, about 100 MB of ASCII.
 * usage: cc -O2 words.c -o words && ./words [MEGABYTES] >words.txt */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 20141;

static uint32_t below(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

int main(int argc, char **argv) {
    static const char letters[] = "eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhh"
                                  "rrrrrrddddllllcccuuummwwffggyyppbbvkjxqz";
    long total = (argc > 1 ? atol(argv[1]) : 100) * 1000000, written = 0;
    int column = 0;
    while (written < total) {
        int length = 1 + (int)(below(6) + below(6)) * (below(5) > 0);
        if (column + length > 72) {
            putchar('\n');
            written++, column = 0;
        } else if (column) {
            putchar(' ');
            written++, column++;
        }
        for (int i = 0; i < length; i++) {
            int c = letters[below(sizeof letters - 1)];
            putchar(i == 0 && below(12) == 0 ? c - 32 : c);
        }
        written += length, column += length;
        if (below(9) == 0) {
            putchar(below(2) ? ',' : '.');
            written++, column++;
        }
    }
    putchar('\n');
    return 0;
}
