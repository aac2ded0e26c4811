# SPDX-License-Identifier: Apache-2.0
# The instructions of each function that the page shows are those of tr-annotate, to the last
# execution, cycle, trap and slot: of the whole run, and of windows that begin and end with slices;
# harts add up.
. "$SRC/tests/cli/tr-annotate.inc"
. "$SRC/tests/cli/tr-fold-soup.inc"
. "$SRC/tests/cli/tr-explore-code.inc"
compare() { # FOLDER STREAM [FROM TO]
	local window=()
	[ $# = 2 ] || window=(--from "$3" --to "$4")
	if ! tr-annotate --all --format json "${window[@]}" "$2" > annotated.json 2> said; then
		grep -qE 'nothing ran|no function' said || cat said
		return
	fi
	node rows.js "$1" "from=${3-0}&to=${4-18446744073709551615}" annotated > found
	sort annotated > expected
	[ $# = 2 ] || [ "$(cat rounded)" = "$3,$4" ] || echo "$3,$4 is rounded to $(cat rounded)"
	sort found | diff - expected | head -n 5
	windows=$((windows + 1)) lines=$((lines + $(wc -l < expected)))
}
check() { # NAME STREAM
	local length end i
	windows=0 lines=0
	mkdir "$1"
	tr-unwind -o "$1/stacks.tr" "$2" 2> said || cat said
	tr-annotate --all --slices "$1/annotate.slices" "$2" > text.txt
	tr-annotate --all "$2" | cmp - text.txt
	compare "$1" "$2"
	length=$(tr-explore --query '/code?func=1' "$1" | sed -n 's/.*"length":\([0-9]*\).*/\1/p')
	end=$(tr-explore --query /run "$1" | sed 's/.*"end":\([0-9]*\).*/\1/')
	end=$(((end + length - 1) / length))
	for ((i = 0; i < 10; i++)); do
		from=$((end * i / 10))
		compare "$1" "$2" $((from * length)) $(((from + 1 + i * i * i % (end - from)) * length))
	done
	echo "$1: slices of $length cycles, $windows windows, more than 30 instructions: $((lines > 30))"
}
check run run.tr
sed 's/^header classes.*/&\nheader commit_width=2/; s/^row sum .*/row sum stall 1:10\/4*19 2:0/' run.txt | tr-text --encode -o wide.tr
check wide wide.tr
grep -v '^header classes' run.txt | sed 's,/[0-9]\*[0-9]*,,' | tr-text --encode -o bare.tr
check bare bare.tr
check soup soup.tr

echo '# harts add up'
sed '/^end/d' run.txt > two.txt
cat >> two.txt << 'END'
hart 1 priv=U satp=0x8000000000000001 space=1
row start
row sum stall 1:5/4*4
row return
row start2
row leaf
end end=power-off
END
tr-text --encode -o two.tr two.txt
check two two.tr
for hart in 0 1; do node rows.js two "hart=$hart" > hart$hart; done
node rows.js two '' > both
awk '{ n[$1 " " $2] += $3; c[$1 " " $2] += $4 } END { for (i in n) print i, n[i], c[i] }' hart0 hart1 | sort |
	cmp - <(cut -d' ' -f1-4 both | sort) && grep -c . hart0 hart1

echo '# source lines'
tr-explore --query '/code?func=2' run | sed -n '/places/,/rows/p'
echo '# inlined calls'
tr-explore --query /names soup > names
f=$(node -p 'JSON.parse(require("fs").readFileSync("names")).findIndex(([name]) => name === "down")')
tr-explore --query "/code?func=$f" soup | grep -o '^\["soup.c".*\["pour"\]'

echo '# none'
none() { tr-explore --query "/code?func=$2" "$1" 2>&1; }
none run 3
none run 0
none run 99
mkdir other
cp run/stacks.tr other
none other 2
cp wide/annotate.slices other
none other 2
echo '# damaged'
size=$(stat -c %s run/annotate.slices) wrong=0
for ((at = 0; at < size; at += 13)); do
	cp run/annotate.slices other
	byte=$(od -An -tu1 -j $at -N 1 run/annotate.slices)
	printf "\\x$(printf %02x $((byte ^ 0x41)))" | dd of=other/annotate.slices bs=1 seek=$at conv=notrunc status=none
	none other 2 | grep -qxF '{"none":"annotate.slices: it is damaged, or of another version"}' || wrong=$((wrong + 1))
	head -c $at run/annotate.slices > other/annotate.slices
	none other 2 | grep -qxF '{"none":"annotate.slices: it is damaged, or of another version"}' || wrong=$((wrong + 1))
done
echo "not refused: $wrong"
rm other/annotate.slices
mkdir other/annotate.slices
none other 2
echo '# options'
tr-annotate --slices x sum run.tr
tr-annotate --slices x --all --from 3 run.tr
tr-annotate --slices x --all -o x run.tr
tr-annotate --slices run.tr --all run.tr
tr-annotate --slices /dev/full --all run.tr > out
[ ! -e x ] && echo 'nothing is left'
