package datasets

// Convert writes the documents of a source to a file, with all their fields, and
// returns how many there are. The name of the file tells its format. progress is
// called now and then with the number so far.
func Convert(src Source, out string, progress func(docs int)) (docs int, err error) {
	r, err := Open(src)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	w, err := Create(out)
	if err != nil {
		return 0, err
	}
	for row, err := range r.Rows() {
		switch {
		case err != nil:
		case src.HTML || len(src.Text) > 1 || len(row.Fields) == 0:
			err = w.WriteDoc(row.Doc) // its text is no field of the input
		default:
			err = w.Write(row.Fields)
		}
		if err != nil {
			w.Abort()
			return docs, err
		}
		if docs++; docs%1000 == 0 {
			progress(docs)
		}
	}
	return docs, w.Close()
}

// WriteDocs writes documents to a file. The name of the file tells its format.
func WriteDocs(out string, docs []Doc) error {
	w, err := Create(out)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := w.WriteDoc(d); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}
