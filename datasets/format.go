package datasets

// FileFormat returns the format that the name of a file tells (jsonl, csv, tsv,
// parquet, or one that can only be read), whatever compression it names, and "" where it
// tells none: then the name is perhaps a folder's.
func FileFormat(path string) string { return extensionFormat(path) }
