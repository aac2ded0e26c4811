// SPDX-License-Identifier: Apache-2.0

// With go.go: the execution tracer of Go's runtime writes what the scheduler does into a
// file.
package main

import (
	"os"
	"runtime/trace"
)

func init() {
	file, err := os.Create("/trace")
	if err == nil {
		err = trace.Start(file)
	}
	if err != nil {
		panic(err)
	}
	stop = func() {
		trace.Stop()
		if file.Close() != nil {
			panic("the trace is incomplete")
		}
	}
}
