#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# initramfs.sh SYSROOT ROOT PATH...: copies files and folders of a sysroot to the folder
# ROOT, with the shared libraries that their programs need. A PATH is relative to the
# sysroot and may be a pattern.
set -eu -o pipefail
shopt -s nullglob
sysroot=$1 root=$(realpath "$2")
shift 2
cd "$sysroot"

# copy PATH: also what a symbolic link refers to, of which the sysroot is the root.
copy() {
	local to
	cp -a --parents "$1" "$root"
	[ -L "$1" ] || return 0
	to=$(readlink "$1")
	case $to in
	/*) copy "${to#/}" ;;
	*) copy "$(realpath -s --relative-to=. "$(dirname "$1")/$to")" ;;
	esac
}

# Prints the libraries that the programs and libraries in ROOT need, and have.
needed() {
	find "$root" -type f -exec readelf -d {} + 2> "$root.log" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u
}
present() {
	find "$root" -name '*.so*' -printf '%f\n' | sort -u
}

for pattern; do
	paths=($pattern)
	[ ${#paths[@]} -gt 0 ] || { echo "initramfs.sh: $sysroot has no $pattern" >&2; exit 1; }
	for path in "${paths[@]}"; do copy "$path"; done
done
copy usr/lib/ld-linux-riscv64-lp64d.so.1
for link in bin lib sbin; do ln -s usr/$link "$root/$link"; done
while missing=$(comm -23 <(needed) <(present)); [ -n "$missing" ]; do
	for library in $missing; do
		path=usr/lib/riscv64-linux-gnu/$library
		[ -e "$path" ] || { echo "initramfs.sh: $sysroot has no $library" >&2; exit 1; }
		copy "$path"
	done
done
rm "$root.log"
