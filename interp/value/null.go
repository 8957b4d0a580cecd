package value

// Null is ⎕NULL, a reference to nothing.
type Null struct{ _ byte }

// TheNull is the one that there is.
var TheNull = &Null{}

func (*Null) Display() string { return "[Null]" }
