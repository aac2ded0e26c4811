# SPDX-License-Identifier: Apache-2.0
# The same binaries are found with and without the satp cache, with less and more
# searching.
soc-model --trace hello.tr "$SRC/build/target/firmware.elf" \
	"$SRC/build/target/hello.elf" < /dev/null > console
for option in --depth=3 --no-satp-cache; do
	tr-match -v "$option" --no-provenance --bins "$SRC/build/target/bins.lst" hello.tr \
		2> "report$option" | tr-text > "text$option"
	sed -nE 's/.*ambiguous ([0-9]+) .*unknown ([0-9]+) .*satp cache: ([0-9]+) blocks, searched ([0-9]+)/\1 \2 \3 \4/p' \
		"report$option" > "numbers$option"
	read -r ambiguous unknown cached searched < "numbers$option"
	echo "$unknown unknown, few ambiguous: $((ambiguous < 500))"
	echo "cached some: $((cached > 0)), more than searched: $((cached > searched))"
	grep -cx "end match_cached=$cached" "text$option"
	grep -cx "end match_searched=$searched" "text$option"
	grep '^note' "text$option" | grep -v ambiguous | sort > "notes$option"
done
comm -13 notes--depth=3 notes--no-satp-cache | wc -l
