//go:build tools

// Package tools names the commands that this module pins, so that
// `go mod tidy` keeps them.
package tools

import (
	_ "github.com/itchyny/gojq/cmd/gojq"
	_ "github.com/rhysd/actionlint/cmd/actionlint"
)
