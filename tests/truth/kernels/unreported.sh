#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# unreported.sh BIN KERNEL_ELF KERNEL_LST: a kernel's tasks have the same stacks if the source tells
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
fold < "$dir/run.tr" > "$dir/reported"
for events in trap 'trap|xret'; do
	"$bin/tr-text" "$dir/run.tr" |
		sed -E "/^($events) /d; s/^(header cannot_supply=.*)/\1,traps/" |
		"$bin/tr-text" --encode - 2> /dev/null | fold > "$dir/unreported"
	cmp -s "$dir/reported" "$dir/unreported" || {
		echo "truth: $elf: other stacks without $events:"
		diff "$dir/reported" "$dir/unreported" | head
		exit 1
	}
done
echo "truth: $elf: the same $(wc -l < "$dir/reported") stacks without traps"
