# SPDX-License-Identifier: Apache-2.0
# Durations of calls are kept exactly up to 4096 distinct values; with 5000 the median is
# marked, and at most 1/64 off.
stream() {
	cat << 'END'
header content=stacks
frame 0
func f0 kind=program address=0x0 binary="p" name="p"
func f1 kind=function address=0x10 binary="p" name="f"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
thread t0 tp=0x1 satp=0x0 name="p"
hart 0 cycle=0
END
	for ((i = 1; i <= $1; i++)); do
		echo "srow n2 t0 cycles=$((10000 + i)) instructions=1 fresh"
		echo "srow n1 t0 cycles=1 instructions=1"
	done
	echo 'end end=power-off'
	echo "end instructions=$((2 * $1))"
	echo "end cycles=$((10001 * $1 + $1 * ($1 + 1) / 2))"
	echo 'end frames=1'
}
stream 4095 | tr-text --encode | tr-report functions
stream 5000 | tr-text --encode | tr-report functions
