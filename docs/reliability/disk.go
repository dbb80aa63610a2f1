package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// disk is a file system of a given size, in memory.
type disk struct{ dir string }

// tmpfs mounts a disk. Only root can, on a system that has tmpfs.
func (a *arena) tmpfs(ctx context.Context, bytes int64) (*disk, error) {
	dir, err := os.MkdirTemp(a.dir, "disk-*")
	if err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", bytes), "alike-attack", dir).CombinedOutput(); err != nil {
		os.Remove(dir)
		return nil, fmt.Errorf("%w: a small disk cannot be mounted: %w: %s", errSkipped, err, out)
	}
	return &disk{dir}, nil
}

func (d *disk) resize(ctx context.Context, bytes int64) error {
	if out, err := exec.CommandContext(ctx, "mount", "-o", fmt.Sprintf("remount,size=%d", bytes), d.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("remount: %w: %s", err, out)
	}
	return nil
}

// unmount unmounts the disk and removes its folder, also after an interrupt.
func (d *disk) unmount() error {
	if out, err := exec.Command("umount", d.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("umount: %w: %s", err, out)
	}
	return os.Remove(d.dir)
}
