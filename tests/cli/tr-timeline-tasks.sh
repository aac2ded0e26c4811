# SPDX-License-Identifier: Apache-2.0
# The tasks of a kernel, from the hits of probes, in tables.
tr-text --encode -o s.tr "$SRC/tests/cli/data/tasks.txt"
for table in processes wakeups; do
	for format in text csv json; do
		echo "# $table, $format"
		tr-timeline --table $table --format $format s.tr
	done
	echo "# $table, of a part"
	tr-timeline --table $table --from 200 --to 460 s.tr
done
