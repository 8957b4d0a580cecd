package value

// Namespace is a set of names and their values: arrays, functions and operators.
// Reference makes the scalar that refers to it; two references are equal where they
// refer to the same namespace.
type Namespace struct {
	// Title is the display of a reference; "" is that of an unnamed namespace.
	Title string
	// Form is the array of characters that is displayed in place of the title; nil is none.
	Form   *Array
	Source []string // the lines of the script that made it
	// Line is the number of lines before the script in that of ⎕FIX, where it is Scripted.
	Line     int
	Scripted bool
	names    []string
	values   map[string]any
}

// NewNamespace returns a namespace without names.
func NewNamespace(title string) *Namespace {
	return &Namespace{Title: title, values: map[string]any{}}
}

// Get returns the value of a name, or nil. It is not only the name's any more.
func (n *Namespace) Get(name string) any { return Shared(n.values[name]) }

// Held is Get for callers that keep neither the value nor a part of it.
func (n *Namespace) Held(name string) any { return n.values[name] }

// Shared returns a value of a name, which something else has from now on, too.
func Shared(v any) any {
	if a, ok := v.(*Array); ok && a.Sole {
		a.Sole = false
	}
	return v
}

// Set gives a name a value.
func (n *Namespace) Set(name string, v any) {
	if _, ok := n.values[name]; !ok {
		n.names = append(n.names, name)
	}
	n.values[name] = v
}

// Remove takes a name out of the namespace.
func (n *Namespace) Remove(name string) {
	delete(n.values, name)
	for i, s := range n.names {
		if s == name {
			n.names = append(n.names[:i:i], n.names[i+1:]...)
			return
		}
	}
}

// Names returns the names in the order in which they were set.
func (n *Namespace) Names() []string { return n.names }

// Display returns what the session prints for a reference.
func (n *Namespace) Display() string {
	if n.Form != nil {
		return string(n.Form.Chars)
	}
	return n.Path()
}

// Path returns where the namespace is.
func (n *Namespace) Path() string {
	if n.Title == "" {
		return "#.[Namespace]"
	}
	return n.Title
}
