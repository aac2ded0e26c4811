# SPDX-License-Identifier: Apache-2.0
# Compressed logs, whole, cut off, damaged, and in several members.
log=$SRC/tests/cli/data/logs/spike.log
tr-capture --no-provenance -o plain.tr "$log"
cat "$log" "$log" > twice.log
tr-capture --no-provenance -o twice.tr twice.log
for pack in gzip xz zstd; do
	$pack -c < "$log" > log.$pack
	tr-capture --no-provenance -o a.tr log.$pack && cmp a.tr plain.tr
	cat log.$pack log.$pack > two
	tr-capture --no-provenance -o a.tr two && cmp a.tr twice.tr
	[ $pack = zstd ] || { { cat log.$pack; head -c 512 /dev/zero; } > padded; } # both formats allow it
	tr-capture --no-provenance -o a.tr padded && cmp a.tr plain.tr
	head -c -5 log.$pack > cut
	tr-capture -o a.tr cut
	echo "status $?"
	head -c 30 log.$pack > damaged
	head -c 100 /dev/zero >> damaged
	tr-capture -o a.tr damaged
	echo "status $?"
done
