# SPDX-License-Identifier: Apache-2.0
# The marks that the page shows are those of tr-timeline --table marks, in any window that begins
# and ends with slices, also of one thread; points and regions over time, and each by its number,
# are where --from and --to find them. Narrow ones are joined, and none is lost.
. "$SRC/tests/cli/marks.inc"
mkdir marks
marks_stream | tr-text --encode -o marks/stacks.tr
# Lines of the table, as CSV.
cat > table.js << 'END'
const {execFileSync} = require("child_process");
const {rows} = JSON.parse(execFileSync("tr-explore", ["--query", "/marks?" + process.argv[3], process.argv[2]], {maxBuffer: 1 << 28}));
console.log("count,open,stray,cycles,self,away,min,median,p99,max,kind,name");
for (const [, name, kind, ...n] of rows) {
	const region = kind === "region";
	console.log([n[0], ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => region && n[i] !== undefined ? n[i] : ""), kind, name].join());
}
END
compare() { # FOLDER FROM TO
	tr-timeline --table marks --format csv ${2:+--from "$2" --to "$3"} "$1/stacks.tr" > expected 2> said
	sed -i 's/"//g' expected
	node table.js "$1" "${2:+from=$2&to=$3}" | diff - expected | head -n 4
	windows=$((windows + 1)) lines=$((lines + $(wc -l < expected)))
}
windows=0 lines=0
compare marks
for from in 0 35 50 60 70 120; do
	for to in 36 60 61 71 140 160; do
		[ "$from" -ge "$to" ] || compare marks "$from" "$to"
	done
done
echo "$windows windows, $lines lines"
node table.js marks ''

echo '# of a thread, and over time'
tr-explore --query '/overview' marks | grep -o '"threads".*'
for thread in 0 1 2; do node table.js marks "thread=$thread" | sed 1d; done
tr-explore --query '/regions' marks
tr-explore --query '/regions?width=4&from=20&to=100' marks
echo '# one by its number, and where tr-timeline has it; the longest; none'
names=(frame inner 'a b' open gone last)
for ((i = 0; i < 7; i++)); do
	tr-explore --query "/region?mark=$i&nth=1" marks 2>&1
done
for nth in 0 1 2 3 4; do tr-explore --query "/region?mark=0&nth=$nth" marks; done
for nth in 1 2 3; do
	tr-fold --from "mark:frame#$nth" --to "mark:frame#$nth" marks/stacks.tr 2>&1 > folded | grep -o 'window.*' || awk '{ n += $NF } END { print n }' folded
done

echo '# a hundred thousand marks'
mkdir many
awk -f "$SRC/tests/cli/data/explore-marks.awk" | tr-text --encode -o many/stacks.tr
length=$(tr-explore --query /run many | sed 's/.*"length":\([0-9]*\).*/\1/')
windows=0 lines=0
compare many
for ((i = 1; i < 20; i += 4)); do compare many $((i * 7 * length)) $(((i * 60 + 300) * length)); done
echo "$windows windows, more than 50 lines: $((lines > 50))"
cat > sums.js << 'END'
const {execFileSync} = require("child_process");
const ask = (path) => JSON.parse(execFileSync("tr-explore", ["--query", path, "many"], {maxBuffer: 1 << 28}));
const all = ask("/regions"), some = ask("/regions?width=1000"), table = ask("/marks").rows;
const sum = (answer) => answer.rows.reduce((n, [, , , boxes]) => n + boxes.reduce((m, box) => m + box[4], 0), 0);
const shown = (answer) => ({rows: answer.rows.slice(0, some.rows.length)});
console.log(sum(shown(all)) === sum(some), sum(all) === table.reduce((n, row) => n + row[3], 0), all.rows.length === some.all_rows);
console.log("at most a box for each half pixel:", some.rows.every(([, , , boxes]) => boxes.length <= 2002));
console.log("marks:", ask("/run").marks);
END
node sums.js
echo '# no marks, wrong arguments'
mkdir none
marks_stream | grep -v '^probe' | tr-text --encode -o none/stacks.tr
tr-explore --query /marks none
tr-explore --query /regions none
for query in '/region?mark=0&nth=1' '/marks?from=3&to=3' '/regions?thread=9' '/region?mark=x' '/marks?process=7'; do
	tr-explore --query "$query" none
	echo "exit $?"
done
