#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# untold.sh BIN KERNEL_ELF KERNEL_LST: a kernel's tasks have the same stacks if the source tells
# neither traps nor returns from them, or only the returns; but for the traps' names.
set -euo pipefail
export LC_ALL=C
bin=$1 elf=$2 lst=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fold() {
	"$bin/tr-match" --bins "$lst" 2> /dev/null | "$bin/tr-unwind" 2> /dev/null |
		"$bin/tr-fold" --unit instructions --by thread | sed 's/\[[a-z ]*\]/[trap]/g' |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sums[$0] += n } END { for (s in sums) print s, sums[s] }' | sort
}

"$bin/soc-model" --max-instructions 20M --trace - "$elf" < /dev/null > "$dir/run.tr"
fold < "$dir/run.tr" > "$dir/told"
for events in trap 'trap|xret'; do
	"$bin/tr-text" "$dir/run.tr" |
		sed -E "/^($events) /d; s/^(header cannot_supply=.*)/\1,traps/" |
		"$bin/tr-text" --encode - 2> /dev/null | fold > "$dir/untold"
	cmp -s "$dir/told" "$dir/untold" || {
		echo "truth: $elf: other stacks without $events:"
		diff "$dir/told" "$dir/untold" | head
		exit 1
	}
done
echo "truth: $elf: the same $(wc -l < "$dir/told") stacks without traps"
