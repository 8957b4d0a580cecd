/* Twin of testdata/programs/matmuldot.apl. Arguments: n. */
#include "matmul.h"

int main(int argc, char **argv) {
    product(argc, argv, 16);
    const int p[3][2] = {{1, 2}, {3, 4}, {5, 1}};
    int answer = 1;
    for (int i = 0; i < 3; i++) {
        int row = 0;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++) row += p[i][k] * p[j][k];
        answer *= row;
    }
    apl_scalar(answer);
    return 0;
}
