#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# btf.sh FIRMWARE VMLINUX SCENARIO_ELF LIST: the tables of a run of Linux are the same bytes
# with the kernel's DWARF, and with the BTF that pahole makes of it and symbols alone.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
bin=$(realpath "${BIN:-build/bin}") probes=$PWD/filters/lib/probe/linux.probes
firmware=$(realpath "$1") vmlinux=$(realpath "$2") scenario=$(realpath "$3") list=$(realpath "$4")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir "$out/dwarf" "$out/btf"
cp "$vmlinux" "$out/dwarf/vmlinux"
cp "$vmlinux" "$out/btf/vmlinux"
pahole -J "$out/btf/vmlinux"
riscv64-linux-gnu-objcopy --strip-debug "$out/btf/vmlinux"

"$bin/tr-capture" -o "$out/run.tr" -- "$bin/soc-model" --ram 64M "$firmware" "$vmlinux" "$scenario" < /dev/null > "$out/console"
for kind in dwarf btf; do
	(cd "${list%/*}" && sed "s:^vmlinux :$out/$kind/vmlinux :" "$list" | sed "s:^\([^/]\):$PWD/\1:") > "$out/$kind/bins.lst"
	"$bin/tr-replay" --stream --probes "$probes" "$out/run.tr" "$firmware" "$out/$kind/vmlinux" "$scenario" 2> "$out/$kind/log" |
		"$bin/tr-match" --bins "$out/$kind/bins.lst" 2>> "$out/$kind/log" | "$bin/tr-unwind" -o "$out/$kind/stacks.tr" 2>> "$out/$kind/log"
	for table in processes wakeups syscalls process-syscalls wakers runqueue interrupts softirqs faults locks masked; do
		"$bin/tr-timeline" --table $table --format csv -o "$out/$kind/$table" "$out/$kind/stacks.tr"
	done
done
grep -q 'vmlinux has BTF, but no DWARF' "$out/btf/log" || { echo 'btf: the DWARF was not removed'; exit 1; }
for table in "$out"/dwarf/[a-z]*; do
	name=${table##*/}
	case $name in vmlinux | bins.lst | log | stacks.tr) continue ;; esac
	cmp "$table" "$out/btf/$name"
	[ "$(wc -l < "$table")" -gt 1 ] || { echo "btf: $name is empty"; exit 1; }
	echo "btf: $name: $(($(wc -l < "$table") - 1)) rows are the same as with DWARF"
done
