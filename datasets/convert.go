package datasets

// writeFile creates a file with the records that fill writes.
func writeFile(path string, fill func(w *Writer) error) error {
	w, err := Create(path)
	if err != nil {
		return err
	}
	defer w.Abort() // nothing, once it is closed
	if err := fill(w); err != nil {
		return err
	}
	return w.Close()
}

// Convert writes the documents of a source to a file, with all their fields, and
// returns how many there are. The name of the file tells its format. progress is
// called now and then with the number so far.
func Convert(src Source, out string, progress func(docs int)) (docs int, err error) {
	r, err := Open(src)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	err = writeFile(out, func(w *Writer) error {
		for row, err := range r.Rows() {
			switch {
			case err != nil:
			case src.HTML || len(src.Text) > 1 || len(row.Fields) == 0 || hasColumns(row.Names(), src.wanted(), false) != nil:
				err = w.WriteDoc(row.Doc) // its text is no field of the input
			default:
				err = w.Write(row.Fields)
			}
			if err != nil {
				return err
			}
			if docs++; docs%1000 == 0 {
				progress(docs)
			}
		}
		return nil
	})
	return docs, err
}

// WriteDocs writes documents to a file. The name of the file tells its format.
func WriteDocs(out string, docs []Doc) error {
	return writeFile(out, func(w *Writer) error { return w.writeDocs(docs) })
}
