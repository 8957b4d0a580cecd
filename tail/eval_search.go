package tail

var searchOps, orderOps, radixOps, matrixOps map[Op]builtin
