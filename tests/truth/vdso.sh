#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vdso.sh VMLINUX: prints the vdso that the kernel contains, a shared object between the
# symbols vdso_start and vdso_end.
set -euo pipefail
prefix=riscv64-unknown-elf-
symbol() { "${prefix}nm" "$1" | awk -v name="$2" '$3 == name { print "0x" $1 }'; }
start=$(symbol "$1" vdso_start) end=$(symbol "$1" vdso_end)
[ -n "$start" ] && [ -n "$end" ] || { echo "vdso.sh: $1 has no vdso" >&2; exit 1; }
"${prefix}readelf" -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' | while read -r _ _ address offset size _; do
	[[ $size =~ ^[0-9a-f]+$ ]] || continue
	at=$((start - 0x$address))
	if ((at >= 0 && at < 0x$size)); then
		tail -c +$((0x$offset + at + 1)) "$1" | head -c $((end - start)) || [ $? = 141 ]
		break
	fi
done
