# SPDX-License-Identifier: Apache-2.0
# Hits of probes, and what a device supplied, remain at their tokens in a part.
tr-text --encode -o a.tr "$SRC/tests/cli/data/probes.txt"
tr-split-by-satp --no-provenance --priv u a.tr | tr-text
tr-split-by-satp -d parts a.tr
for part in parts/*.tr; do
	tr-text "$part" | grep -c '^probe\|^mmio'
done
