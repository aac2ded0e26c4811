# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# tr-explore on 1 G instructions of Linux (make linux first): building the index, its size, and
# the time from input to what is painted then, in Chromium, also with 100,000 marks; what counts by address cost. SEEK=N makes a shorter run, FOLDER=F
# takes the stacks of a run that is there.

linux=build/linux folder=$out/explore
if [ -z "${FOLDER:-}" ]; then
	mkdir -p "$folder"
	# The shell starts programs until the run has its length.
	echo 'while :; do ls -l /bin /proc | sort | wc -l; find / -name x; md5sum /bin/busybox; done > /dev/null 2>&1' |
		"$bin/soc-model" --ram 64M --max-instructions "${SEEK:-1G}" --trace "$out/explore.tr" \
			"$target/firmware.elf" $linux/vmlinux $linux/shell.elf > /dev/null 2>&1 || true
	"$bin/tr-match" --bins $linux/shell.lst -o "$out/matched.tr" "$out/explore.tr"
	"$bin/tr-unwind" -o "$folder/stacks.tr" "$out/matched.tr" 2> /dev/null
	annotate="$bin/tr-annotate --all --limit 1 -o /dev/null"
	alone=$(best %U "$annotate $out/matched.tr")
	figure explore_slices_time "$(best %U "$annotate --slices $folder/annotate.slices --stacks $folder/stacks.tr $out/matched.tr" |
		awk -v alone="$alone" '{ printf "%.2f", $1 / alone }')" 'times tr-annotate' max 1.6
	rm "$out/explore.tr" "$out/matched.tr"
else
	folder=$FOLDER
fi
n=$(info "$folder/stacks.tr" instructions)
figure explore_instructions "$n" instructions
query="$bin/tr-explore --query /run $folder"
index=$folder/explore.sqlite
t=$(best %U "rm -f $index; $query")
figure explore_build "$(mega "$n" "$t" 1)" Minstr/s min 100
figure explore_index_bytes "$(stat -c %s "$index")" B max 100000000
[ ! -e "$folder/annotate.slices" ] ||
	figure explore_slices_bytes "$(stat -c %s "$folder/annotate.slices")" B max 100000000
figure explore_start "$(best %R "$query")" s max 1
times() { # FOLDER [PATTERN]: of the kinds of input that match
	local kind median worst count
	while read -r kind median worst count; do
		[[ $kind =~ ^(${2:-.*})$ ]] || continue
		figure "explore_${kind}_median" "$median" ms max 100
		figure "explore_${kind}_worst" "$worst" ms max 100
		figure "explore_${kind}_count" "$count" answers
	done < <(node tests/bench/explore.js "$bin/tr-explore" "$1")
}
times "$folder"
# A hundred thousand marks.
mkdir -p "$out/explore-marks"
awk -f tests/cli/data/explore-marks.awk | "$bin/tr-text" --encode -o "$out/explore-marks/stacks.tr"
times "$out/explore-marks" 'mark.*'
