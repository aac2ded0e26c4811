// SPDX-License-Identifier: Apache-2.0

// Clients send requests to workers and wait for the answers: go-requests PROCS. Probes on
// four functions tell who has a request: it begins when sent returns, and ends when received
// is entered. Within these two the client reads the time, and main prints both times of each
// request, in ns.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	clients = 6
	workers = 3
	each    = 20
	size    = 96 << 10 // in the heap
)

type request struct {
	number int
	answer chan int
}

var start = time.Now()
var begun, ended [clients * each]time.Duration

//go:noinline
func sent(number int) { begun[number] = time.Since(start) }

//go:noinline
func accepted(number int) {}

//go:noinline
func replied(number int) {}

//go:noinline
func received(number int) { ended[number] = time.Since(start) }

// Some work, of which one request in ten has more, and some garbage.
//
//go:noinline
func serve(number int) int {
	room := make([]byte, size)
	turns := 4
	if number%10 == 0 {
		turns = 16
	}
	sum := number
	for turn := 0; turn < turns; turn++ {
		for i := turn; i < len(room); i += 64 {
			room[i] += byte(sum)
			sum = sum*31%65521 + int(room[i])
		}
	}
	return sum
}

func work(requests <-chan request, done *sync.WaitGroup) {
	defer done.Done()
	for r := range requests {
		accepted(r.number)
		answer := serve(r.number)
		replied(r.number)
		r.answer <- answer
	}
}

func ask(client int, requests chan<- request, sums chan<- int) {
	sum := 0
	for i := 0; i < each; i++ {
		r := request{client*each + i, make(chan int, 1)}
		sent(r.number)
		requests <- r
		sum += <-r.answer
		received(r.number)
	}
	sums <- sum
}

func main() {
	procs, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GOMAXPROCS(procs)
	debug.SetGCPercent(50)
	requests, sums, done := make(chan request), make(chan int), sync.WaitGroup{}
	for i := 0; i < workers; i++ {
		done.Add(1)
		go work(requests, &done)
	}
	for i := 0; i < clients; i++ {
		go ask(i, requests, sums)
	}
	sum := 0
	for i := 0; i < clients; i++ {
		sum += <-sums
	}
	close(requests)
	done.Wait()
	var out strings.Builder
	for i := range begun {
		fmt.Fprintf(&out, "request %d %d %d\n", i, begun[i].Nanoseconds(), ended[i].Nanoseconds())
	}
	fmt.Printf("%s%d requests: %d\n", out.String(), clients*each, sum)
}
