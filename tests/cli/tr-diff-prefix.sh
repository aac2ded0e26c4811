# SPDX-License-Identifier: Apache-2.0
# A stream that is a prefix of another, has no tokens, or lacks a hart differs from it, in
# either order and however the frames are cut.
encode() {
	{
		echo 'block b pc=0x80000000 00000013'
		cat
		echo 'end end=power-off'
	} | tr-text --encode -o "$1.tr"
}
compare() {
	local pair
	for pair in "$1.tr $2.tr" "$2.tr $1.tr"; do
		echo "# $pair"
		# shellcheck disable=SC2086
		tr-diff $pair
		echo "exit $?"
	done
}
encode none <<< 'hart 0'
printf '%s\n' 'hart 0' 'row b' | encode short
printf '%s\n' 'hart 0' 'row b x5' | encode long
printf '%s\n' 'frame 0' 'hart 0' 'row b' 'frame 1' 'hart 0' 'row b x4' | encode cut
printf '%s\n' 'hart 0' 'row b' 'hart 1' 'row b' | encode harts
printf '%s\n' 'hart 0' 'row b' 'mark data=00' | encode event
compare short long
compare none long
compare short cut
compare cut long
compare short harts
compare short event
