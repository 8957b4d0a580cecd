package interp

func formatDates(_ *Interp, _ options, _, _ *V) (*V, error) { return nil, nil }
