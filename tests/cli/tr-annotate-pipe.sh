# SPDX-License-Identifier: Apache-2.0
# A part of the run that a pass of its own finds cannot be that of a pipe, which may have a
# path: the second pass would find nothing in it. Cycles can, and so can a file at another path.
. "$SRC/tests/cli/tr-annotate.inc"
for options in '--to 30' '--from leaf' '--focus leaf' '--thread work'; do
	echo "# $options"
	# shellcheck disable=SC2002,SC2086 # a pipe, words
	cat run.tr 2> cat.err | tr-annotate $options --format csv sum /dev/stdin > pipe.csv
	echo "exit $?, $(wc -l < pipe.csv) lines"
done
ln -s run.tr link.tr
tr-annotate --thread work --format csv sum link.tr | cmp - <(tr-annotate --thread work --format csv sum run.tr) && echo the same
