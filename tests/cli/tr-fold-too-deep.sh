# SPDX-License-Identifier: Apache-2.0
# Calls beyond the depth limit of tr-unwind, whose cycles are charged to another frame:
# the line of conservation reports them, on the terminal and in the graph, with doubt or
# without.
for end in 'unwind_depth_refused=0' 'unwind_depth_refused=1' \
	'unwind_depth_refused=5907\nend unwind_doubted_cycles=1200'; do
	{
		cat "$SRC/tests/browser/flame.txt"
		printf "end $end\n"
	} | tr-text --encode -u -o s.tr
	tr-fold -v --svg s.svg s.tr 2>&1 > s.folded
	grep -oP 'gap; [^<"]*(?=<)' s.svg
done
exit 0
