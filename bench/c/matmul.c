/* Twin of testdata/programs/matmul.apl. Arguments: n. */
#include "matmul.h"

int main(int argc, char **argv) { return product(argc, argv, 16); }
