// Package mapped reads immutable files by position. Where the system can, it
// maps them into memory.
//
// Packages index/disk and passages use it. What a file holds does not belong
// here.
package mapped
