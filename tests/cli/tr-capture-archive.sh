# SPDX-License-Identifier: Apache-2.0
# An archive has up to 16 frames in a zstd frame; every filter reads it as any other stream.
{
	echo 'header content=rows'
	echo 'block a pc=0x100 1141 8082'
	for i in {1..40}; do
		[ "$i" = 1 ] || echo frame
		echo "row a x$i"
	done
	echo 'end end=power-off'
} | tr-text --encode -u --no-provenance -o a.tr
# zstd_frames FILE
zstd_frames() { tr-info "$1" | awk '/^  (frames|instructions|zstd frames) / && !n[$1]++'; }

tr-capture --no-provenance --archive -o archive.tr a.tr
zstd_frames archive.tr
zstd -dqc archive.tr | cmp - a.tr && echo 'the same stream'
for form in '-@4' '-l19' '-@3 -l19'; do
	# shellcheck disable=SC2086 # words
	tr-capture --no-provenance --archive $form < a.tr | cmp - archive.tr && echo "the same bytes: $form"
done
tr-capture --no-provenance --archive --level 1 -o fast.tr archive.tr
zstd_frames fast.tr
tr-capture --no-provenance -o b.tr archive.tr && zstd_frames b.tr
tr-capture --no-provenance --archive --max-instructions 100 archive.tr | tr-text | tail -n 2
target=$SRC/build/target
tr-capture --no-provenance -o run.tr -- soc-model --max-instructions 34M "$target/firmware.elf" "$target/forever.elf" > console
tr-capture --no-provenance --archive -l1 -o run.archive.tr run.tr
for filter in tr-text 'tr-split-by-satp --list' "tr-match --bins $target/bins.lst -u --no-provenance"; do
	$filter run.tr > filtered
	for form in '' '-@ 4'; do
		# shellcheck disable=SC2086 # words
		$filter $form run.archive.tr | cmp - filtered && echo "${filter%%/*}${form:+ }$form"
	done
done
tr-replay run.archive.tr "$target/firmware.elf" "$target/forever.elf"
tr-replay --index run.ix run.archive.tr "$target/firmware.elf" "$target/forever.elf"
for cycle in 100 17M 33554432 33999999; do
	tr-replay --at $cycle run.tr "$target/firmware.elf" "$target/forever.elf" > from-start
	tr-replay --index run.ix --at $cycle run.archive.tr "$target/firmware.elf" "$target/forever.elf" | cmp - from-start
done
# places INDEX: how many it has. Each follows its size and checksum.
places() {
	perl -e 'local $/; $_ = <>; for ($at = 16; $size = unpack "Q<", substr $_, $at; $n++) { $at += 16 + $size } print "$n places\n"' "$1"
}
places run.ix
tr-replay --index plain.ix run.tr "$target/firmware.elf" "$target/forever.elf" > /dev/null
places plain.ix
tr-diff run.archive.tr run.tr && echo 'no difference'
echo '== a log, a simulator that dies'
printf 'core   0: 3 0x%016x (0x00000013)\n' {4096..4300..4} > spike.log
tr-capture --from spike --archive -o log.tr spike.log && zstd_frames log.tr
cat > dies << 'END'
zstd -dqc archive.tr | head -c -800 >&"$TR_CAPTURE_FD"
kill -9 $$
END
tr-capture --no-provenance --archive -o dies.tr -- bash dies
tr-text dies.tr | tail -n 2
echo '== cut and damaged'
size=$(stat -c %s archive.tr)
for n in 20 $((size / 2)) $((size - 60)); do
	head -c "$n" archive.tr > cut.tr
	tr-capture --no-provenance -o part.tr cut.tr 2>&1 | sed 's/byte [0-9]*/byte N/'
	[ "$n" = 20 ] || tr-text part.tr | tail -n 1
done
{ head -c $((size / 2)) archive.tr; printf X; tail -c $((size / 2 - 1)) archive.tr; } > bad.tr
tr-text bad.tr > got 2> errors
echo "status $?: $(sed 's/record.*/.../' errors)"
echo '== refused' >&2
tr-capture --archive -u a.tr
tr-capture --archive -o /dev/full a.tr
