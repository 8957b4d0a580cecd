package interp

// null is ⎕NULL, a reference to nothing.
type null struct{ _ byte }

// theNull is the one that there is.
var theNull = &null{}

func (*null) Display() string { return "[Null]" }
