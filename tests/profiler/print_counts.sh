#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hand_over FILE...: in its place, prints what prof-counts says, where no probe can read it, but
# functions without calls.
for file; do
	[ -e "$file" ] || continue
	name=${file##*/}
	case $name in
	*.dat)
		echo "counts ${name%.dat}"
		prof-counts --csv "$file" | grep -v '^0,'
		;;
	esac
done >&2
