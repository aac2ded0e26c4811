#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the runs of the pipelines depend on, as make knows it: a changed kernel, device tree,
# archive or firmware repeats the runs that have it, and no others; and what a summary or a
# report is made of is among what it depends on.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MFLAGS MAKELEVEL PREPARE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
fail() { echo "depends: $*"; exit 1; }

# The rules in make's database, for each target a line; % stands for a run. What follows a bar is no reason to run.
make -pnq DEBIAN_RELEASE=forky help 2> "$work/messages" | sed -n '/^build\/[^ ]*:/ { s/ | .*//; p }' > "$work/rules" || : # 1: something would be made
[ -s "$work/rules" ] || fail "no rules: $(cat "$work/messages")"
needs() { # TARGET INPUT
	awk -v target="$1:" -v input="$2" '$1 == target { for (i = 2; i <= NF; i++) found += $i == input }
		END { exit !found }' "$work/rules"
}
# repeats INPUT TARGET...: the runs that have a file
repeats() {
	local target
	for target in "${@:2}"; do
		needs "$target" "$1" || fail "$target does not depend on $1"
		passed=$((passed + 1))
	done
}
# spares INPUT TARGET...: runs without it
spares() {
	local target
	for target in "${@:2}"; do
		grep -q "^$target:" "$work/rules" || fail "no rule for $target"
		! needs "$target" "$1" || fail "$target depends on $1"
		passed=$((passed + 1))
	done
}

runs=build/fireperf net=build/linux-net
slow=$runs/bytes-base/net.txt fast=$runs/copy-napi/net.txt both=$runs/copy-napi-own-dual/net.txt
board=$runs/bytes-1500-server/net.txt alone=$runs/loopback-bytes/run.tr traced=$runs/loopback-traced/run.tr
dual=$runs/loopback-copy-dual/run.tr copies=$runs/copies-shift/counts.csv server=$runs/copies-shift-server/counts.csv
repeats $net-bytes/vmlinux $slow $board $alone $traced
spares $net-bytes/vmlinux $fast $both $dual $copies $server
repeats $net-copy/vmlinux $fast
spares $net-copy/vmlinux $slow $both $board $alone
repeats $net/vmlinux $board $copies $server # the faster machine of a board
repeats $net-copy-smp/vmlinux $both $dual
repeats build/target/firmware.elf $slow $fast $board $alone $traced $copies $server
repeats build/target/firmware-smp.elf $both $dual
spares build/target/firmware-smp.elf $slow $alone
for side in server client; do
	repeats $net/$side.cpio $slow $fast $both $board $server
	repeats $net/$side-base.dtb $slow
	repeats $net/$side-napi.dtb $fast
	repeats $net/$side-napi-2.dtb $both
	repeats $net/$side-1500.dtb $board
	spares $net/$side-napi.dtb $slow $both $board
done
repeats $net/client-short.dtb $server
spares $net/client-base.dtb $server
repeats build/linux/iperf3-8m.elf $alone $copies
repeats $net/traced.cpio $traced
repeats $net/traced-8M.dtb $traced
repeats $net/iperf3.cpio $dual
repeats $net/iperf3-8M-2.dtb $dual
repeats build/bin/soc-sim $slow $alone $copies
repeats "$runs/loopback-%/console.txt" "$runs/loopback-%/result.txt"

# Another release has another folder, also of the comparison of its stacks.
debian=build/linux-debian/forky
for run in model hardware; do
	repeats $debian/Image $debian/$run/{run.tr,console.txt,seconds.txt}
	repeats $debian/init.cpio $debian/$run/run.tr
	repeats $debian/vmlinux $debian/$run/run.stacks.tr
done
repeats $debian/perl/start.checkpoint $debian/perl{,-hardware}/run.tr
repeats $debian/Image build/truth/debian/forky/perl.tr
for file in fold.log console.txt seconds.txt; do
	repeats "$debian/%/$file" "$debian/%/summary.txt"
done
! grep -q '^build/linux-debian/[^f][^ ]*:' "$work/rules" || fail "a result in no folder of its release"
# Console, time and logs are made with the run and with its results, and are not missed.
linux=build/linux-demo gallery=build/gallery smp=build/linux-smp-demo/2
repeats build/target/demo.elf build/demo/{run.tr,console.txt}
repeats build/linux/vmlinux $linux/boot/{run.tr,console.txt,run.log,seconds.txt}
repeats build/linux-gc/vmlinux $gallery/cxx/{run.tr,console.txt,run.log,seconds.txt}
repeats build/linux-smp/vmlinux $smp/move/{run.tr,console.txt}
repeats build/linux/shell.lst $linux/boot/{run.stacks.tr,replay.log,match.log,unwind.log}
repeats build/linux-gc/system.lst $gallery/cxx/{run.matched.tr,match.log}
repeats build/linux-smp/move.lst $smp/move/{run.stacks.tr,match.log,unwind.log}
repeats $debian/vmlinux $debian/model/{run.stacks.tr,match.log,unwind.log}
for folder in $linux/boot $gallery/cxx $smp/move $debian/model; do
	repeats $folder/run.stacks.tr $folder/{joined.svg,joined.folded,fold.log,functions.txt}
done
for file in run.tr seconds.txt match.log unwind.log fold.log; do
	repeats "$linux/%/$file" "$linux/%/summary.txt"
	repeats "$gallery/%/$file" "$gallery/%/summary.txt"
done
repeats $linux/iperf3/console.txt $linux/iperf3/report.txt
repeats "$gallery/%/console.txt" "$gallery/%/result.txt"
go=build/linux-go
repeats $go/traced/go.cpio $go/traced/{run.tr,console.txt,run.log}
repeats $go/requests/2-4.dtb $go/requests/2-4.{tr,console.txt,log}
repeats $go/requests/go $go/requests/2-4.matched.tr
repeats $go/requests/2-4.matched.tr $go/requests/2-4.stacks.tr
repeats "$go/requests/%.console.txt" "$go/requests/%.clock.txt"
repeats $runs/bytes-base/0.functions.txt $runs/figure-3.txt
repeats $runs/bytes-base/0.tr $runs/bytes-base/0.stacks.tr
repeats $net-bytes/vmlinux $runs/bytes-base/0.tr
echo "depends: $passed dependencies"
