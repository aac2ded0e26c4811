# SPDX-License-Identifier: Apache-2.0
# The tasks of a kernel, from the hits of probes: tables, the picture's rows of processes,
# Perfetto's events of scheduling, system calls and waits.
tr-text --encode -o s.tr "$SRC/tests/cli/data/tasks.txt"
# Packets of one line each.
packets() {
	tr-timeline --clock 0 --min-cycles 0 "$@" |
		protoc --proto_path="$SRC/filters/lib" --decode tr_perfetto.Trace timeline/perfetto.proto |
		awk '/^packet \{/ { line = ""; next } /^\}/ { print substr(line, 2); next }
			/trusted_packet|sequence_flags/ { next } { gsub(/^ +/, ""); line = line " " $0 }'
}
for table in processes wakeups; do
	for format in text csv json; do
		echo "# $table, $format"
		tr-timeline --table $table --format $format s.tr
	done
	echo "# $table, of a part"
	tr-timeline --table $table --from 200 --to 460 s.tr
done
echo '# picture'
tr-timeline --format svg s.tr | sed -n '/>processes</,/>hart 0</p'
echo '# Perfetto: events of ftrace'
packets s.tr | grep -E '^(ftrace|process_tree)'
echo '# of a part'
packets --from 200 --to 460 s.tr | grep -E '^(ftrace|process_tree)'
echo '# processes and threads'
packets s.tr | grep -E 'process \{|thread \{'
echo '# slices that are not stacks'
packets s.tr | grep -vE '^ftrace|name_iid: [0-9]+ track|(process|thread) \{' | sed '1d'
echo '# by its last name, a longer one'
sed '/^frame 2/,$ { /name="sort"/d }' "$SRC/tests/cli/data/stack-tasks.txt" | tr-text --encode -o long.tr
tr-timeline --quiet --format svg long.tr | grep -o 'title>[^<]*\[19\].*'
tr-timeline --quiet --format speedscope --by thread long.tr | grep -o '"name":"[^"]*\[19\]"'
