// SPDX-License-Identifier: Apache-2.0

// Go: clients that send requests to workers and wait for the answers. Prints a sum of the
// answers. With a second argument, runtime/trace writes what the scheduler does to that
// file.
//
//	requests COUNT [FILE]
package main

import (
	"fmt"
	"os"
	"runtime/trace"
	"strconv"
	"sync"
)

const (
	clients = 8
	workers = 3
)

type request struct {
	number int
	answer chan int
}

// Some work, and some garbage.
//
//go:noinline
func serve(number int, seen map[int]int, lock *sync.Mutex) int {
	text := strconv.Itoa(number)
	sum := 0
	for turn := 0; turn < 20; turn++ {
		for _, letter := range []byte(text) {
			sum = (sum*31 + int(letter)) % 65521
		}
	}
	lock.Lock()
	seen[sum%512]++
	lock.Unlock()
	return sum
}

//go:noinline
func work(requests <-chan request, seen map[int]int, lock *sync.Mutex, done *sync.WaitGroup) {
	defer done.Done()
	for r := range requests {
		r.answer <- serve(r.number, seen, lock)
	}
}

//go:noinline
func ask(first, count int, requests chan<- request, sums chan<- int) {
	sum := 0
	for i := 0; i < count; i++ {
		r := request{first + i, make(chan int)}
		requests <- r
		sum += <-r.answer
	}
	sums <- sum
}

//go:noinline
func serveAll(count int) int {
	requests, sums := make(chan request), make(chan int)
	seen, lock, done := map[int]int{}, sync.Mutex{}, sync.WaitGroup{}
	for i := 0; i < workers; i++ {
		done.Add(1)
		go work(requests, seen, &lock, &done)
	}
	for i := 0; i < clients; i++ {
		go ask(i*count, count, requests, sums)
	}
	sum := 0
	for i := 0; i < clients; i++ {
		sum += <-sums
	}
	close(requests)
	done.Wait()
	return sum + len(seen)
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 2 {
		file, err := os.Create(os.Args[2])
		if err != nil {
			panic(err)
		}
		defer file.Close()
		if err := trace.Start(file); err != nil {
			panic(err)
		}
		defer trace.Stop()
	}
	fmt.Printf("requests: %d of each client, sum %d\n", count, serveAll(count))
}
