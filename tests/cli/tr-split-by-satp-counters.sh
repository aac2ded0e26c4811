# SPDX-License-Identifier: Apache-2.0
# Counters belong to no address space: a part has none, and the warning appears once.
tr-text --encode -o a.tr "$SRC/tests/cli/data/counters.txt"
tr-split-by-satp --no-provenance --priv u a.tr | tr-text
tr-split-by-satp -d parts a.tr
ls parts
cat parts/*.tr | grep counter || echo "no counters"
