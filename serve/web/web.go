// Package web holds the pages of alike serve: comparing two texts, looking
// through a result, records of measurements, and plans. `npm ci && npm run
// build` makes them from src and writes them to dist, so a build of alike needs
// no Node.
//
// The command alike serve passes them to package serve. Answers of the API
// belong to package serve, looks that reports share to internal/charts.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files are the pages: index.html and what it loads, by relative addresses. The scripts ask
// the server they come from and no other, under v1/, and work under the policy
//
//	default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'
var Files = sub()

func sub() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("web: " + err.Error()) // dist is no valid path
	}
	return files
}
