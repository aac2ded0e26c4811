# SPDX-License-Identifier: Apache-2.0
# Compressed logs that take more memory than others to decompress say so.
log=$SRC/tests/cli/data/logs/spike.log
zstd -q --long=31 -c < "$log" > log.zst
xz -0 --lzma2=preset=0,dict=1GiB -c < "$log" > log.xz
for form in zst xz; do
	tr-capture --from spike -o out.tr log.$form
	echo "status $?"
done
zstd -dc --long=31 log.zst | tr-capture --from spike -o plain.tr
