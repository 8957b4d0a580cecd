// Package affine has the sums that indices and numbers of elements are: sums of
// variables with coefficients (Sum), and sums of products of variables (Poly). What is
// known of the variables is for package laila to say.
package affine
