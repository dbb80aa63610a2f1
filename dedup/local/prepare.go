package local

// prepare returns the text that is compared.
func (o *Options) prepare(text string) string { return text }
