# SPDX-License-Identifier: Apache-2.0
# What the index says of the whole run and of windows is what tr-fold and tr-report say: each
# stack, and of each function cycles, calls, instructions and slots by class; all together, of
# each process, thread and hart.
random() { awk -v seed="$1" -v width="$2" -f "$SRC/tests/cli/data/explore-random.awk" /dev/null; }
# Windows are compared at once, since node takes long to start. Of each window N, lines
# "N function FUNCTION BINARY ADDRESS SELF TOTAL CALLS INSTRUCTIONS" and "N lost FUNCTION ...
# CLASS SLOTS", with commas.
cat > lines.js << 'END'
const fs = require("fs"), read = (name) => JSON.parse(fs.readFileSync(name)), names = read("names"), run = read("run");
for (let n = 0; fs.existsSync("view." + n); n++)
	for (const [f, self, total, calls, instructions, , lost] of read("view." + n).functions) {
		const [name, binary, , , address] = names[f];
		const label = [name, binary, address === "0" ? "" : "0x" + address].join();
		console.log([n, "function", label, self, total, calls, instructions].join());
		for (let i = 0; i < lost.length; i += 2) console.log([n, "lost", label, run.classes[lost[i]], lost[i + 1]].join());
	}
END
cat > report.js << 'END'
const fs = require("fs"), read = (name) => JSON.parse(fs.readFileSync(name)), classes = read("run").classes;
const label = (f) => [f.function, f.binary, f.address === null ? "" : f.address].join();
for (let n = 0; fs.existsSync("functions." + n); n++) {
	for (const f of read("functions." + n).functions)
		console.log([n, "function", label(f), f.self_cycles, f.total_cycles, f.calls, f.instructions || 0].join());
	for (const f of classes.length ? read("tma." + n).functions : [])
		for (const name of classes) {
			const slots = f[name + "_cycles"] || f[name + "_slots"];
			if (slots) console.log([n, "lost", label(f), name, slots].join());
		}
}
END
# Compares the stacks of a window of the folder with its stream's, and keeps what is said of
# functions.
compare() { # FOLDER FROM TO
	local window=(--from "$2" --to "$3") query="from=$2&to=$3"
	tr-fold "${window[@]}" "$1/stacks.tr" > expected 2> said || { cat said; return; }
	tr-explore --query "/folded?$query" "$1" | cmp - expected
	tr-explore --query "/view?$query" "$1" > view.$compared
	tr-report functions --format json "${window[@]}" "$1/stacks.tr" > functions.$compared
	grep -q '"classes":\[\]' run || tr-report tma --format json "${window[@]}" "$1/stacks.tr" > tma.$compared
	compared=$((compared + 1))
}
# Compares the parts of a window: those of each thread and hart, and of each process, whose
# numbers tr-fold counts from the window's begin on.
compare_parts() { # FOLDER FROM TO
	local by i name
	tr-explore --query /overview "$1" > overview
	for by in thread $([ "$2" != 0 ] || echo process); do
		tr-fold --by $by --from "$2" --to "$3" "$1/stacks.tr" > expected
		node -e 'const [by] = process.argv.slice(1);
			for (const [i, name] of JSON.parse(require("fs").readFileSync("overview"))[by + (by === "process" ? "es" : "s")])
				console.log(i + " " + name)' $by > numbers
		while read -r i name; do
			tr-explore --query "/folded?from=$2&to=$3&$by=$i" "$1" |
				{ [ "$name" = - ] && cat || sed "s/^/$name;/"; }
		done < numbers | sort | cmp - <(sort expected) && parts=$((parts + $(wc -l < numbers)))
	done
	tr-fold --by hart --from "$2" --to "$3" "$1/stacks.tr" | grep -v '\[idle\]' > expected
	for i in 0 1; do
		tr-explore --query "/folded?from=$2&to=$3&hart=$i" "$1" | sed "s/^/hart $i;/"
	done | sort | cmp - <(sort expected)
}
# Compares windows of a folder that begin and end with slices.
check() { # FOLDER
	local length slices i from
	rm -f view.* functions.* tma.*
	compared=0 parts=0
	tr-explore --query /names "$1" > names
	tr-explore --query /run "$1" | tee run | sed 's/"functions".*"classes"/.../'
	length=$(sed 's/.*"length":\([0-9]*\).*/\1/' run) slices=$(sed 's/.*"slices":\([0-9]*\).*/\1/' run)
	compare "$1" 0 $((length * slices))
	for ((i = 0; i < 12; i++)); do
		from=$((slices * i / 12))
		compare "$1" $((from * length)) $(((from + 1 + i * i * i % (slices - from)) * length))
	done
	[ "${2-}" = alone ] || compare_parts "$1" 0 $((length * slices))
	[ "${2-}" = alone ] || compare_parts "$1" $((slices / 3 * length)) $((slices / 2 * length))
	node lines.js | sort > found
	node report.js | sort | diff found - | head -n 5
	echo "windows: $compared, functions and classes: $(wc -l < found), parts: $parts"
}
for width in 0 1 2; do
	echo "# random, $width"
	mkdir random$width
	random $((width + 7)) $width | tr-text --encode -o random$width/stacks.tr
	check random$width
done

echo '# with traps, in two processes'
mkdir machine
tr-text --encode -o machine/stacks.tr "$SRC/tests/cli/data/machine.txt"
check machine alone

echo '# of the hardware'
. "$SRC/tests/cli/tr-fold-soup.inc"
mkdir soup
cp plain.tr soup/stacks.tr
check soup alone

echo '# rounded outwards'
tr-explore --query "/view?from=1001&to=1002" random1 | head -n 1 | grep -o '"from":[0-9]*,"to":[0-9]*'

echo '# a root'
node=$(tr-explore --query /view random1 | grep -o '^3,[0-9]*,[0-9]*' | head -n 1 | cut -d, -f3)
tr-explore --query "/view?root=$node" random1 > view
node -e 'const v = JSON.parse(require("fs").readFileSync("view"));
	console.log(v.frames[0] === 0, v.frames[2] == v.path[0][0], v.frames[4] === v.cycles, v.path.length > 1)'
