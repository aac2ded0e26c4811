#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes an initramfs to standard output.
#
#     initramfs.sh GEN_INIT_CPIO INIT [FILE...]
#
# GEN_INIT_CPIO is the kernel's program. It records when a file was last modified, even
# with -t 0, so it reads copies whose time is 0: the same files give the same bytes.
#
# INIT becomes /init, a FILE NAME.sh becomes /script, any other a program in /bin. busybox
# comes with /bin/sh, /proc and /tmp. PATH=FILE puts a file at another path of the target.
#
# The archive aligns its entries to 4 bytes. Contents at a multiple of 8 are copied by
# words instead of bytes, with 1 instead of 4 instructions per byte, so a dummy entry
# precedes the others. Each entry costs some 8,000 instructions, so there are no links for
# busybox's commands.
set -eu

gen_init_cpio=$1
shift
copies=$(mktemp -d)
trap 'rm -r "$copies"' EXIT
offset=0

# entry NAME SIZE LINE: a header of 110 bytes, name and NUL, contents
entry() {
	local name=${1#/}
	offset=$(((offset + 110 + ${#name} + 1 + 3 & ~3) + $2 + 3 & ~3))
	echo "$3" >> "$copies/list"
}

directory() {
	entry "$1" 0 "dir $1 755 0 0"
}

file() {
	local name=${1#/} size
	size=$(stat -c %s "$2")
	if (((offset + 110 + ${#name} + 1 + 3 & ~3) % 8)); then
		directory /bin
	fi
	cp "$2" "$copies/$offset"
	touch -d @0 "$copies/$offset"
	entry "$1" "$size" "file $1 $copies/$offset 755 0 0"
}

# Folders of a path that the archive does not have yet.
declare -A made=([/bin]=1 [/dev]=1)
folders() {
	local folder=${1%/*}
	if [ -n "$folder" ] && [ -z "${made[$folder]-}" ]; then
		folders "$folder"
		directory "$folder"
		made[$folder]=1
	fi
}

directory /bin
directory /dev
entry /dev/console 0 'nod /dev/console 600 0 0 c 5 1'
entry /dev/null 0 'nod /dev/null 666 0 0 c 1 3'
entry /dev/urandom 0 'nod /dev/urandom 444 0 0 c 1 9'
file /init "$1"
shift
for path; do
	case $path in
	/*=*)
		folders "${path%%=*}"
		file "${path%%=*}" "${path#*=}"
		;;
	*.sh)
		file /script "$path"
		;;
	*/busybox)
		directory /proc
		directory /tmp
		file /bin/busybox "$path"
		entry /bin/sh 7 'slink /bin/sh busybox 777 0 0'
		;;
	*)
		file "/bin/${path##*/}" "$path"
		;;
	esac
done
"$gen_init_cpio" -t 0 "$copies/list"
