#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh FIREPERF_FRAMES: the checks of `make fireperf` on the packets of frames.txt, and on
# broken ones, and on counters that do not add up.
set -euo pipefail
export LC_ALL=C
program=$(realpath "$1") source=$(cd "$(dirname "$0")" && pwd)
pipelines=$source/../../pipelines
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
fail() { echo "fireperf: $*" >&2; exit 1; }
pass() { passed=$((passed + 1)); }

binary() { sed 's/../\\x&/g' | xargs -0 printf '%b'; }
# little NUMBER: four bytes in hexadecimal digits
little() { printf '%02x%02x%02x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255)); }
# pcap: lines of hexadecimal digits as a file of frames, a microsecond apart
pcap() {
	local line ns=0 all=4d3cb2a102000400000000000000000000000400
	all+=01000000
	while read -r line; do
		ns=$((ns + 1000))
		all+=$(little 0)$(little $ns)$(little $((${#line} / 2)))$(little $((${#line} / 2)))$line
	done
	printf %s "$all" | binary
}
grep -v '^#' "$source/frames.txt" > good.txt
pcap < good.txt > good.pcap

"$program" 1 good.pcap > good.out || fail "good packets"
cat > expected.out << 'END'
frames sent 14 received 13
bytes sent 1382 received 1142
checksums 27
flow sent 10.0.0.2:52382 10.0.0.1:5201 bytes 450 segments 7 again 0 sacks 0 hash c77d8c6511bc60be steady 0 from 0 to 0
flow received 10.0.0.1:5201 10.0.0.2:52382 bytes 276 segments 8 again 0 sacks 0 hash f34faff12dab7d12 steady 0 from 0 to 0
END
diff expected.out good.out || fail "other counts"
[ "$(tcpdump -nn -vv -r good.pcap 2> /dev/null | grep -c '^[0-9][0-9]:')" = 27 ] || fail "tcpdump"
pass

# Each breaks the file (awk), and must give the status and the message.
broken() { # STATUS MESSAGE COMMAND...
	local status=0
	"${@:3}" < good.txt | pcap > broken.pcap
	"$program" 1 broken.pcap > broken.out 2> broken.err || status=$?
	[ $status = "$1" ] && grep -q -- "$2" broken.err || fail "${*:3}: status $status: $(cat broken.err)"
	pass
}
# flip LINE DIGIT: another digit there, from 1
flip() {
	awk -v n="$1" -v at="$2" 'NR == n { d = substr($0, at, 1) == "0" ? "1" : "0"; $0 = substr($0, 1, at - 1) d substr($0, at + 1) } 1'
}
broken 1 'frame 4: wrong checksum of TCP' flip 4 150
broken 1 'frame 4: wrong checksum of TCP' flip 4 80 # its sequence number
broken 1 'frame 9: wrong checksum of IP' flip 9 50
broken 1 'frame 6: the header of IP is not one' flip 6 29
broken 1 'frame 6: neither from nor to node 1' flip 6 12
broken 1 'bytes of a flow were never sent' sed 9d
broken 1 'bytes of a flow were never received' sed 13d
# Two words of the payload exchanged leave the checksum as it is.
swap() { awk 'NR == 9 { print; $0 = substr($0, 1, 200) substr($0, 205, 4) substr($0, 201, 4) substr($0, 209) } 1'; }
broken 1 'frame 10: other bytes than before' swap
sed '9{p}' good.txt | pcap > again.pcap
"$program" 1 again.pcap | grep -q '^flow sent .* segments 8 again 1 ' || fail "a segment sent again"
pass

# A flow of 70 segments of 16000 zeros: the steady state begins with the end of the 66th, the
# first beyond 1 MiB.
{
	printf 4d3cb2a10200040000000000000000000000040001000000 | binary
	for i in {1..70}; do
		seq=$((i * 16000))
		ip=4500$(printf %04x 16040)00000000400600000a0000020a000001
		tcp=00020001$(printf %08x $seq)000000005010000000000000
		sum=0
		for ((k = 0; k < 40; k += 4)); do sum=$((sum + 0x${ip:k:4})); done
		ip=${ip:0:20}$(printf %04x $((65535 - (sum % 65535))))${ip:24}
		sum=$((0x0a00 + 2 + 0x0a00 + 1 + 6 + 16020))
		for ((k = 0; k < 40; k += 4)); do sum=$((sum + 0x${tcp:k:4})); done
		tcp=${tcp:0:32}$(printf %04x $((65535 - (sum % 65535))))0000
		printf %s "$(little 0)$(little $((i * 1000)))$(little 16054)$(little 16054)0200000000010200000000020800$ip$tcp" | binary
		head -c 16000 /dev/zero
	done
} > long-flow.pcap
"$program" 1 long-flow.pcap > long-flow.out || fail "a long flow"
grep -q '^flow sent 10.0.0.2:2 10.0.0.1:1 bytes 1120000 segments 70 again 0 .* steady 64000 from 66000 to 70000$' long-flow.out ||
	fail "a long flow: $(cat long-flow.out)"
pass

trouble() { # MESSAGE COMMAND...
	local status=0
	"${@:2}" 2> trouble.err > /dev/null || status=$?
	[ $status = 2 ] && grep -q -- "$1" trouble.err && [ "$(wc -l < trouble.err)" = 1 ] || fail "${*:2}: status $status: $(cat trouble.err)"
	pass
}
for size in 23 30 45 600; do
	head -c $size good.pcap > cut.pcap
	trouble "$([ $size = 23 ] && echo 'not a pcap file' || echo truncated)" "$program" 1 cut.pcap
done
: > empty.pcap
trouble 'not a pcap file' "$program" 1 empty.pcap
trouble 'not a pcap file' "$program" 1 good.txt
{ head -c 32 good.pcap; tail -c +37 good.pcap; } > long.pcap
trouble 'bytes' "$program" 1 long.pcap
trouble 'No such file' "$program" 1 none.pcap
trouble 'usage' "$program" x good.pcap
status=0
"$program" 1 good.pcap > /dev/full 2> full.err || status=$?
[ $status = 2 ] && grep -q 'No space' full.err || fail "a full disk: status $status"
pass

# Counters of two nodes: 100 frames to the server, of which its NIC drops 3 and its driver 2,
# the backlog 1; 40 frames to the client, of which the switch drops 5.
mkdir sums
nodes() {
	echo "soc-net: node 1: the switch dropped 5 frames: its buffer was full" > sums/net.txt
	printf 'frames sent 40 received 100\nflow sent a b bytes 4 again 0 hash 1\nflow received b a bytes 9 again 0 hash 2\ntcpdump read 140 bad 0\n' > sums/0.frames.txt
	printf 'frames sent 100 received 35\nflow sent b a bytes 9 again 1 hash 2\nflow received a b bytes 4 again 0 hash 1\ntcpdump read 135 bad 0\n' > sums/1.frames.txt
	local label=label,nic_frames_sent,nic_send_drops,nic_frames_in,nic_frames_received,nic_drops_full,nic_drops_size,nic_drops_off
	printf '%s\n1,40,1,100,97,1,1,1\n' $label > sums/0.csv
	printf '%s\n1,100,0,35,35,0,0,0\n' $label > sums/1.csv
	printf '  eth0: 900 95 1 5 0 0 0 0 400 41 0 0 0 0 0 0\n0000005f 00000001 0 0 0 0 0 0 0 0 0\r\n' > sums/0.txt
	printf '  eth0: 400 35 0 0 0 0 0 0 900 100 0 0 0 0 0 0\n00000023 00000000 0 0 0 0 0 0 0 0 0\r\n' > sums/1.txt
}
sums() { awk -f "$pipelines/fireperf-sums.awk" sums/net.txt sums/{0,1}.frames.txt sums/{0,1}.csv sums/{0,1}.txt; }
nodes
sums > sums.out 2> sums.err || fail "good sums: $(cat sums.err)"
grep -qx 'node 1 to node 0: driver 100, NIC 100 + 0 dropped, wire 100; switch 0 dropped; wire 100, NIC 97 + 3 dropped, driver 95 + 2 dropped' \
	sums.out || fail "the way of the frames: $(cat sums.out)"
pass
wrong() { # MESSAGE FILE SED
	local status=0
	nodes
	sed -i "$3" "sums/$2"
	sums > sums.out 2> sums.err || status=$?
	[ $status = 1 ] && grep -q -- "$1" sums.err || fail "$2 $3: status $status: $(cat sums.err)"
	pass
}
wrong 'driver sends, NIC sends and drops: 42 and 41' 0.txt 's/ 41 0 / 42 0 /'
wrong 'driver receives and drops: 100 and 99' 0.txt 's/ 95 1 5/ 95 1 4/'
wrong 'driver receives and drops: 35 and 34' 1.txt 's/ 35 0 0/ 34 0 0/'
wrong 'NIC sends, wire: 99 and 100' 1.csv 's/1,100,0,/1,99,1,/'
wrong 'NIC takes, writes and drops: 100 and 99' 0.csv 's/97,1,1,1/97,1,1,0/'
wrong 'wire, NIC: 100 and 101' 0.csv 's/,100,97,1,/,101,97,2,/'
wrong 'wire from node 0 to the other: 40 and 35' net.txt d
wrong 'tcpdump reads every frame: 140 and 139' 0.frames.txt 's/read 140/read 139/'
wrong 'tcpdump finds wrong checksums: 0 and 1' 1.frames.txt 's/bad 0/bad 1/'
wrong 'payload sent (bytes, hash) 9 2, received 9 3' 0.frames.txt 's/hash 2/hash 3/'
wrong 'node 1 has no counters' 1.txt 's/eth0/eth1/'

# Entries of a function: a call that a trap interrupts, and one that is not; a trap of the
# caller does not count.
cat > stacks.txt << 'END'
func f0 kind=function address=0x0 binary="k" name="caller"
func f1 kind=function address=0x0 binary="k" name="send"
func f2 kind=trap address=0x0 binary="" name="[interrupt]"
func f3 kind=function address=0x0 binary="k" name="inner"
node n1 parent=n0 func=f2
node n2 parent=n1 func=f0
node n3 parent=n2 func=f1
node n4 parent=n3 func=f2
node n5 parent=n3 func=f3
node n6 parent=n4 func=f0
srow n2 t1 cycles=10 instructions=1 fresh
srow n3 t1 cycles=5 instructions=1 fresh
srow n5 t1 cycles=20 instructions=1 fresh
srow n6 t1 cycles=100 instructions=1 fresh
srow n3 t1 cycles=8 instructions=1
srow n2 t1 cycles=3 instructions=1
srow n3 t1 cycles=40 instructions=1 fresh
srow n3 t1 cycles=41 instructions=1 fresh
srow n2 t1 cycles=3 instructions=1
END
printf 'calls 3\nentries 4\ntrapped 1\nbucket 8 1\nbucket 24 1\nbucket 40 2\n' > entries.expected
awk -v name=send -v window='--from 0 --to 1000' -f "$pipelines/fireperf-entries.awk" stacks.txt | diff entries.expected - ||
	fail "entries"
awk -v name=send -v window='--from 20 --to 1000' -f "$pipelines/fireperf-entries.awk" stacks.txt | head -2 > entries.out
printf 'calls 2\nentries 3\n' | diff - entries.out || fail "entries of a window"
awk -v name=send -v window='--from 100 --to 146' -f "$pipelines/fireperf-entries.awk" stacks.txt > entries.out 2>&1 &&
	fail "entries without a call"
pass
# Copies: a loop of c.ld, sd, lbu and sb, twice with a miss in it; a handler in between does
# not count.
cat > copies.txt << 'END'
header classes=frontend.icache-l2,frontend.icache-dram,frontend.itlb,frontend.fetch,badspec.branch,badspec.flush,badspec.trap,memory.l2,memory.dram
block b0 pc=0x1000 6198 00e53023 0005c783 00f50023
block b1 pc=0x2000 00e53023
block b2 pc=0x1010 8082
trigger start
row b0 stall 0:25/8*24 1:2/5*1
row b0 x3
row b1 x5
row b0 stall 2:135/8*10/9*124
row b2
trigger stop
END
printf 'calls 1\nbytes 45\ncycles 180\ninstructions 21\nloads 10\nstores 10\nmisses 2\nrefill 158\n' > copies.expected
awk -v from=0x1000 -v to=0x1010 -f "$pipelines/fireperf-copied.awk" copies.txt | diff copies.expected - || fail "copies"
pass

# Throughput over loopback: from the block after the first MiB to the last one.
{
	echo 'func f0 kind=function address=0x0 binary="iperf3" name="iperf_tcp_send"'
	echo 'node n1 parent=n0 func=f0'
	for i in {1..200}; do echo "srow n1 t1 cycles=$((i > 64 ? 32768 : 100000)) instructions=1 fresh"; done
} > blocks.txt
printf 'gbits 12.8000\nwindow 6400000 10823680\n' > blocks.expected
loopback() { awk -v block=16384 -v least="$1" -f "$pipelines/fireperf-loopback.awk" blocks.txt; }
loopback 3276800 | diff blocks.expected - || fail "blocks"
loopback 3276801 > blocks.out 2>&1 && fail "fewer bytes than were to be sent"
pass

# The same on two harts, of which one sends each second block.
{
	head -n 2 blocks.txt
	for h in 0 1; do
		echo "hart $h cycle=0"
		for i in {1..200}; do
			echo "srow n$((i % 2 == h ? 1 : 0)) t1 cycles=$((i > 64 ? 32768 : 100000)) instructions=1 fresh"
		done
	done
} > both.txt
mv both.txt blocks.txt
loopback 3276800 | diff blocks.expected - || fail "blocks of two harts"
pass

# How busy two harts are, and which the interface interrupts; a trace of one hart is refused, and
# a console without interrupts.
harts() { awk -v title=run -f "$pipelines/fireperf-harts.awk" "$1" "$2"; }
printf '%s\n' 'hart 0;iperf3;main 60' 'hart 0;sh;[idle] 40' 'hart 1;[idle] 80' 'hart 1;kernel;x 20' > harts.txt
printf '%s\r\n' '           CPU0       CPU1' '  1:          7        400  SiFive PLIC   1 Edge      eth0' \
	'  2:          3         20  SiFive PLIC   2 Edge      eth0' '  5:        900          1  RISC-V INTC   5 Edge      riscv-timer' > console.txt
harts console.txt harts.txt | awk '{ exit !($2 == "60.0" && $5 == "60.0" && $7 == 10 && $8 == "20.0" && $11 == "0.0" && $13 == 420) }' || {
	harts console.txt harts.txt
	fail "busy harts"
}
head -n 2 harts.txt | harts console.txt - > harts.out 2>&1 && fail "one hart"
grep -v eth0 console.txt | harts - harts.txt > harts.out 2>&1 && fail "no interrupts"
pass
echo "fireperf: $passed passed"
