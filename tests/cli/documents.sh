# SPDX-License-Identifier: Apache-2.0
# README.md is short enough to be read, and no link of a document leads nowhere.
cd "$SRC" || exit
lines=$(wc -l < README.md)
[ "$lines" -le 130 ] || echo "README.md: $lines lines, more than 130"
find ./*.md filters pipelines rtl sim tests -name '*.md' -print0 | LC_ALL=C sort -z |
	xargs -0 awk -f tests/install/dead-links.awk
