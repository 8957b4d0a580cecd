package tail

import "github.com/tailor-lang/tailor/array"

// typingRules has the typing rule of every op that is not a scalar op.
var typingRules = [NumOps]func(*typing) Type{
	OpIota:          typeIota,
	OpEach:          typeEach,
	OpZipWith:       typeZipWith,
	OpReduce:        typeReduce,
	OpReduce1:       typeReduce1,
	OpReduceWin:     typeReduceWin,
	OpScan:          typeScan,
	OpOuter:         typeOuter,
	OpInner:         typeInner,
	OpInner1:        typeInner1,
	OpChain:         typeChain,
	OpCells:         typeCells,
	OpCells2:        typeCells2,
	OpItems:         typeItems,
	OpSegments:      typeSegments,
	OpPower:         typePower,
	OpWhile:         typeWhile,
	OpShape:         typeShape,
	OpTally:         typeTally,
	OpCount:         typeCount,
	OpReshape:       typeReshape,
	OpRavel:         typeRavel,
	OpReverse:       typeReverse,
	OpRotate:        typeRotate,
	OpRotateM:       typeRotateM,
	OpTransp:        typeTransp,
	OpTransp2:       typeTransp2,
	OpTake:          typeTake,
	OpExpect:        typeExpect,
	OpDrop:          typeDrop,
	OpFirst:         typeFirst,
	OpOnly:          typeOnly,
	OpStretch:       typeStretch,
	OpCat:           typeCat,
	OpCons:          typeCons,
	OpSnoc:          typeSnoc,
	OpLaminate:      typeLaminate,
	OpCompress:      typeCompress,
	OpReplicate:     typeReplicate,
	OpExpand:        typeExpand,
	OpIndex:         typeIndex,
	OpUpdate:        typeUpdate,
	OpAll:           func(t *typing) Type { return Unit },
	OpMember:        typeMember,
	OpIndexOf:       typeIndexOf,
	OpWhere:         typeWhere,
	OpLongest:       func(t *typing) Type { t.vector(0, array.Bool); return Scalar(array.Int) },
	OpIntervalIndex: typeIndexOf,
	OpUnique:        typeUnique,
	OpFirstCell:     typeGrade,
	OpFirstItem:     typeFirstItem,
	OpItemTable:     typeItemTable,
	OpItemPlace:     typeItemPlace,
	OpRaggedTable:   typeRaggedTable,
	OpRaggedPlace:   typeRaggedPlace,
	OpWithout:       typeWithout,
	OpGradeUp:       typeGrade,
	OpGradeDown:     typeGrade,
	OpEncode:        typeEncode,
	OpDecode:        typeDecode,
	OpMatch:         typeMatch,
	OpFind:          typeFind,
	OpMatInv:        typeMatInv,
	OpMatDiv:        typeMatDiv,
	OpDeal:          typeDeal,
	OpFormat:        func(t *typing) Type { t.precision(); return typeText(t, t.array(0)) },
	OpFormatBy:      typeFormatBy,
	OpPicture:       typePicture,
	OpPrint:         func(t *typing) Type { t.precision(); return t.array(0) },
	OpPrintBare:     func(t *typing) Type { t.precision(); return t.array(0) },
	OpReadText:      func(t *typing) Type { t.vector(0, array.Char); return Ranked(array.Char, 1) },
	OpWriteText:     typeWriteText,
	OpStop:          typeStop,
	OpReadCSV:       func(t *typing) Type { t.vector(0, array.Char); return Ranked(array.Double, 2) },
	OpCSVText:       func(t *typing) Type { t.ranked(0, t.array(0), 2); return Ranked(array.Char, 1) },
	OpReadNpy:       typeReadNpy,
	OpWriteNpy:      func(t *typing) Type { t.array(0); t.vector(1, array.Char); return Scalar(array.Int) },
	OpReceive:       typeReceive,
	OpSend:          func(t *typing) Type { t.array(0); t.scalar(1, array.Int); return Scalar(array.Int) },
	OpArgCount:      func(t *typing) Type { return Scalar(array.Int) },
	OpArgText:       func(t *typing) Type { t.scalar(0, array.Int); return Ranked(array.Char, 1) },
	OpParseNumber:   func(t *typing) Type { t.vector(0, array.Char); return Scalar(array.Double) },
	OpTimeStamp:     func(t *typing) Type { return Shaped(array.Int, ConstSize(7)) },
	OpClock:         func(t *typing) Type { return Shaped(array.Int, ConstSize(4)) },
	OpGenerator:     func(t *typing) Type { return Scalar(array.Int) },
	OpSeed:          func(t *typing) Type { t.scalar(0, array.Int); return Scalar(array.Int) },
}

// typeScalar types the scalar ops from their schemes.
func typeScalar(t *typing) Type {
	scheme := SchemeOf(t.op)
	values := make([]Size, len(t.args))
	for i, p := range scheme.Params {
		values[i] = t.scalar(i, p.(*Array).Elem).Value(0)
	}
	result := scheme.Result.(*Array)
	if len(values) == 0 || result.Elem != array.Int && result.Elem != array.Bool || t.bad != nil {
		return Scalar(result.Elem)
	}
	for _, v := range values {
		if v.Any {
			return Scalar(result.Elem)
		}
	}
	return Singleton(result.Elem, ScalarValue(t.op, values))
}

func typeIota(t *typing) Type {
	n := t.scalar(0, array.Int).Value(0)
	c, constant := n.IsConst()
	if constant && c < 0 {
		t.fault(FaultNegative, n)
	}
	ty := Shaped(array.Int, n)
	if !constant || c < 0 || c > MaxValues {
		return ty
	}
	values := make([]Size, c)
	for i := range values {
		values[i] = ConstSize(int64(i) + 1)
	}
	return withValues(ty, values)
}

// Second-order ops.
