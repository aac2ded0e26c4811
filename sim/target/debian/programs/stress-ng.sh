# SPDX-License-Identifier: Apache-2.0
# Stressors of several kinds, each for a number of operations: integers, floating point,
# sorting, threads and processes, pipes, signals, stacks of coroutines.
traced /usr/bin/stress-ng --quiet --oom-avoid --temp-path /tmp --seed 1 --timeout 0 \
	--cpu 1 --cpu-method int64double --cpu-ops 4 --qsort 1 --qsort-size 4096 --qsort-ops 2 \
	--pthread 1 --pthread-ops 16 --fork 1 --fork-ops 16 --pipe 1 --pipe-ops 64 \
	--context 1 --context-ops 64 --sigsegv 1 --sigsegv-ops 16 && echo passed
