//go:build race

package datasets

// raceDetector says that the tests run under the race detector, ten times slower.
const raceDetector = true
