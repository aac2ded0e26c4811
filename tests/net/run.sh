#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BIN FOLDER: nodes of a network, in BIN, with the programs in FOLDER. Traces and
# packets must be the same however the processes run, and no trouble may go unnoticed.
set -euo pipefail
export LC_ALL=C
bin=$(cd "$1" && pwd) programs=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
fail() { echo "net: $*" >&2; exit 1; }
pass() { passed=$((passed + 1)); }
sim() { echo "$bin/soc-sim --no-provenance --nic wire --trace $1.tr --pcap $1.pcap"; }

# ring NAME NET_OPTIONS [COMMAND_BEFORE_NODE [OPTIONS]]...: in the folder NAME
ring() {
	local name=$1 options=$2 nodes=() n
	shift 2
	mkdir "$name"
	for n in 0 1 2; do
		# shellcheck disable=SC2206
		nodes+=(-- ${1:-} $(sim "$name/$n") ${2:-} "$programs/ring.elf")
		shift $(($# < 2 ? $# : 2))
	done
	# shellcheck disable=SC2086
	timeout 120 "$bin/soc-net" $options "${nodes[@]}"
}
same() { # NAME: as those of `plain`
	local f
	for f in 0.tr 1.tr 2.tr 0.pcap 1.pcap 2.pcap; do
		cmp "plain/$f" "$1/$f" || fail "$1: $f differs"
	done
	pass
}

ring plain "" || fail "the ring failed"
[ "$("$bin/tr-info" plain/2.tr | awk '$1 == "node" { print $2 }')" = 2 ] || fail "the trace does not name its node"
for epoch in 6400 640 64; do
	ring $epoch "--epoch $epoch" && same $epoch
done
ring no-skip "" "" "" "" --no-skip && same no-skip
printf '#!/bin/sh\nsleep 0.5\nexec "$@"\n' > late
chmod +x late
ring late0 "" ./late && same late0
ring late2 "" "" "" "" "" ./late && same late2
ring lockstep "" "" --lockstep "" --lockstep && same lockstep

# Nodes with two harts, of which one sleeps, have other times, whatever the epoch and skips.
ring harts "" "" "--harts 2" "" "--harts 2" || fail "nodes with two harts"
ring harts64 "--epoch 64" ./late "--harts 2" "" "--harts 2 --no-skip" || fail "nodes with two harts, epochs of 64"
ring harts-lockstep "" "" "--harts 2 --lockstep" "" "--harts 2 --lockstep" || fail "nodes with two harts in lockstep"
for f in 0.tr 1.tr 2.tr 0.pcap 1.pcap 2.pcap; do
	cmp "harts/$f" "harts64/$f" || fail "harts64: $f differs"
done
for f in 0.pcap 1.pcap 2.pcap; do
	cmp "harts/$f" "harts-lockstep/$f" || fail "harts-lockstep: $f differs"
done
! cmp -s plain/0.pcap harts/0.pcap || fail "the second hart has no effect"
pass

# Stopped for a while; node 1 writes its number first.
printf '#!/bin/sh\necho $$ > pid\nexec "$@"\n' > numbered
chmod +x numbered
(
	until [ -s pid ]; do sleep 0.02; done
	kill -STOP "$(cat pid)"
	sleep 2
	kill -CONT "$(cat pid)"
) &
ring stopped "" "" "" ./numbered && same stopped
wait

# Another latency, and a slower link, are other results, without errors.
ring far "--latency 100k" || fail "a latency of 100k cycles"
ring slow "--rate 1G" || fail "1 Gbit/s"
! cmp -s plain/0.pcap far/0.pcap && ! cmp -s plain/0.pcap slow/0.pcap || fail "latency and rate have no effect"
pass

# Each frame is in the files of its sender and of its receiver, and nowhere else.
packets() { # FILE ADDRESS...: frames with these source and destination
	tcpdump --nano -tt -XX -r "$1" "ether src 02:00:00:00:00:0$2 and ether dst 02:00:00:00:00:0$3" 2> /dev/null |
		sed 's/^[0-9.]* //'
}
for n in 1 2 3; do
	next=$((n % 3 + 1))
	packets plain/$((n - 1)).pcap $n $next > sent
	packets plain/$((next - 1)).pcap $n $next > received
	[ "$(grep -c '^02:' sent)" = 200 ] || fail "node $((n - 1)) did not send 200 frames"
	cmp sent received || fail "not all that node $((n - 1)) sent was received"
done
[ "$(tcpdump -r plain/0.pcap 2> /dev/null | wc -l)" -ge 400 ] || fail "tcpdump"
pass

# A port of the switch that two nodes fill drops frames, and soc-net says how many.
"$bin/soc-net" -- $(sim flood0) "$programs/flood.elf" -- $(sim flood1) "$programs/flood.elf" \
	-- $(sim flood2) "$programs/wait.elf" 2> flood.txt || fail "flood: $(cat flood.txt)"
arrived=$(tcpdump -r flood2.pcap 2> /dev/null | wc -l)
[ "$arrived" -lt 256 ] && grep -qx "soc-net: node 2: the switch dropped $((256 - arrived)) frames: its buffer was full" \
	flood.txt || fail "of 256 frames $arrived arrived: $(cat flood.txt)"
pass

# A node that powers off is a link down.
"$bin/soc-net" -o off. -- $(sim off0) --max-cycles 50k "$programs/wait.elf" \
	-- $(sim off1) "$programs/wait.elf" || fail "the link did not go down: $(cat off.*)"
"$bin/tr-info" off1.tr | awk '$1 == "end" && NF == 2 { power = $2 } $1 == "cycles" && NF == 2 { cycles = $2 }
	END { exit !(power == "power-off" && cycles > 56400 && cycles < 57000) }' || fail "the link went down at another time"
pass

# A node that dies: the other says so, within a second, and its trace is complete.
rm -f pid
"$bin/soc-net" -o dies. -- ./numbered $(sim dies0) "$programs/wait.elf" -- $(sim dies1) "$programs/wait.elf" 2> net.txt &
until [ -s pid ] && [ -s dies1.tr ]; do sleep 0.02; done
sleep 0.3
kill -KILL "$(cat pid)"
begin=$(date +%s%N)
status=0
wait $! || status=$?
[ $(($(date +%s%N) - begin)) -lt 1000000000 ] || fail "no end within a second"
[ $status = 2 ] || fail "status $status after a death"
grep -q '^soc-net: node 0 was ended by signal 9: Killed$' net.txt || fail "soc-net: $(cat net.txt)"
grep -q '^soc-sim: cycle [0-9]*: peer died: node 0 of the network$' dies.1.txt || fail "node 1: $(cat dies.1.txt)"
[ "$("$bin/tr-info" dies1.tr | awk '$1 == "end" && NF == 2 { print $2 }')" = failed ] || fail "its trace"
pass

# Each of these is one line on standard error, and status 2.
refused() { # TEXT COMMAND...
	local text=$1 status=0
	shift
	"$@" > out.txt 2> err.txt || status=$?
	[ $status = 2 ] && grep -qF -- "$text" err.txt || fail "$*: status $status, $(cat err.txt)"
	pass
}
one=("$bin/soc-sim" --nic)
refused 'start this program by soc-net' "${one[@]}" wire "$programs/wait.elf"
refused 'SOC_NET is not that of soc-net: it is ""' env SOC_NET= "${one[@]}" wire "$programs/wait.elf"
refused 'SOC_NET is not that of soc-net: it is "wire"' env SOC_NET=wire "${one[@]}" wire "$programs/wait.elf"
refused 'SOC_NET is not that of soc-net' env SOC_NET=0:0 "${one[@]}" wire "$programs/wait.elf" < "$programs/wait.elf"
refused 'no such choice: air (there are loopback, wire)' "${one[@]}" air "$programs/wait.elf"
refused 'No such file or directory' "${one[@]}" loopback --pcap none/x.pcap "$programs/wait.elf"
refused 'No space left on device' "$bin/soc-net" -- "${one[@]}" wire --max-cycles 50k --pcap /dev/full "$programs/wait.elf" \
	-- "${one[@]}" wire "$programs/wait.elf"
refused 'no command after --' "$bin/soc-net" -- "${one[@]}" wire --
refused 'a command must follow --' "$bin/soc-net"
refused 'not after --: x' "$bin/soc-net" x -- true
refused '--epoch is longer than --latency' "$bin/soc-net" --latency 10 --epoch 11 -- true
refused '--rate' "$bin/soc-net" --rate 0 -- true
refused 'node 0: none: No such file or directory' "$bin/soc-net" -- none
refused 'node 0 ended without having used the network' "$bin/soc-net" -- true
echo "net: $passed passed"
