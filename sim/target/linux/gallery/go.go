// SPDX-License-Identifier: Apache-2.0

// Go: goroutines that wait for each other, stacks that grow, and are copied, a panic, the
// garbage collector.
package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sort"
	"sync"
)

type tree struct {
	left, right *tree
	value       float64
}

//go:noinline
func grow(depth int, t *tree) *tree {
	if depth == 0 {
		return t
	}
	return &tree{grow(depth-1, t), grow(depth-1, nil), math.Sqrt(float64(depth))}
}

//go:noinline
func (t *tree) sum() float64 {
	if t == nil {
		return 0
	}
	return t.value + t.left.sum() + t.right.sum()
}

// Needs more stack than a goroutine begins with.
//
//go:noinline
func deep(n int, room [32]int) int {
	if n == 0 {
		return room[7]
	}
	room[n%32] += n
	return deep(n-1, room) + room[3]&1
}

func produce(out chan<- int, n int) {
	for i := 0; i < n; i++ {
		out <- i*i%17 + i
	}
	close(out)
}

func consume(in <-chan int, out chan<- float64) {
	sum := 0.0
	for v := range in {
		sum += math.Sqrt(float64(v))
	}
	out <- sum
}

//go:noinline
func risky(n int) int {
	if n == 0 {
		panic(errors.New("bottom"))
	}
	return risky(n-1) + 1
}

func recovered(n int) (what string) {
	defer func() {
		what = fmt.Sprint(recover())
	}()
	return fmt.Sprint(risky(n))
}

// Ends what go-traced.go has begun, if it is linked.
var stop = func() {}

func main() {
	defer stop()
	var wait sync.WaitGroup
	sums := make(chan float64, 4)
	depths := make([]int, 4)

	for i := 0; i < 4; i++ {
		numbers := make(chan int)
		go produce(numbers, 50)
		go consume(numbers, sums)
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			depths[i] = deep(40*(i+1), [32]int{7: i})
		}(i)
	}
	wait.Wait()
	all := make([]float64, 4)
	for i := range all {
		all[i] = <-sums
	}
	sort.Float64s(all)

	root := grow(8, nil)
	runtime.GC()
	fmt.Printf("go: %.3f %v %.3f %s\n", all[0]+all[3], depths, root.sum(), recovered(5))
}
