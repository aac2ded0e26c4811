# SPDX-License-Identifier: Apache-2.0
# More address spaces than writers: a file is read again, but a pipe is refused.
{
	echo 'header content=rows'
	echo 'block b pc=0x1000 1141 8082'
	for ((i = 1; i <= 100; i++)); do printf 'satp %d\nrow b\n' "$i"; done
	for ((i = 1; i <= 100; i++)); do printf 'satp %d\nrow b stall 1:3\n' "$i"; done
	echo end
} | tr-text --encode > a.tr
tr-split-by-satp -d parts a.tr
ls parts | wc -l
for part in parts/*; do tr-text "$part" | grep '^end cycles'; done | sort | uniq -c
tr-text parts/satp-0000000000000063.tr | grep -v ^header
tr-split-by-satp -d more < a.tr
