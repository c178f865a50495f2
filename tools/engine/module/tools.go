//go:build tools

// Package tools names the commands that this module pins, so that
// `go mod tidy` keeps them.
package tools

import (
	_ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
	_ "github.com/pulumi/pulumi/sdk/v3/go/common/version"
)
