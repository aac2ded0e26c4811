# SPDX-License-Identifier: Apache-2.0
# zstd frames are counted, one per record of a stream; skippable frames are not.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-info a.tr | grep '^  zstd'
printf 'P*M\030\003\000\000\000abc' | cat - a.tr > b.tr
tr-info b.tr | grep '^  zstd'
zstd -dqc a.tr | tr-info | grep '^  zstd' || echo 'not counted in a pipe'

# The last columns of the second frame are empty, and an earlier one is large: known
# blocks in every order, so that there are ids of blocks but none of timings.
{
	echo 'header content=rows'
	for i in {1..64}; do printf 'block b%d pc=0x%x 157d 8082\n' "$i" $((i * 16)); done
	printf 'row b%d\n' {1..64}
	echo frame
	for i in {1..64}; do
		for j in {1..64}; do printf 'row b%d\nrow b%d\n' "$i" "$j"; done
	done
	echo 'end end=power-off'
} > orders.txt
tr-text --encode -o orders.tr orders.txt
tr-info orders.tr | grep '^  zstd'
