# SPDX-License-Identifier: Apache-2.0
# The rows of each table of tr-report memory add up to all accesses of firmware, kernel and user
# code, as the tokens have them, and to the slots that these lost to the memory.
target=$SRC/build/target
soc-sim --trace run.tr "$target/firmware.elf" "$target/hello.elf" > /dev/null
tr-replay --stream --accesses run.tr "$target/firmware.elf" "$target/hello.elf" | tr-match --bins "$target/bins.lst" > accesses.tr
memory=$(tr-text --header accesses.tr | sed -n 's/^header classes=//p' | tr , '\n' | awk '/^memory/ { printf "%s ", NR }')
tr-text --tokens accesses.tr | awk -v memory="$memory" 'BEGIN { n = split(memory, m, " "); for (i = 1; i <= n; i++) is[m[i]] = 1 }
	/^token.*[(]/ { all++; n = split($4, part, "/"); for (i = 2; i <= n; i++) { split(part[i], run, "*"); lost += is[run[1]] * run[2] } }
	END { print all, lost }' > wanted.txt
sums() { awk -F, -v lost="$1" 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
	{ for (i = 1; i <= NF; i++) { if (name[i] ~ /^(loads|stores|atomics)$/) all += $i; if (name[i] ~ lost) slots += $i } } END { print all, slots }'; }
tr-report memory --limit 0 --format csv accesses.tr | sums '^memory' | cmp - wanted.txt && echo 'objects: the same'
tr-report memory --limit 2 --format csv accesses.tr | sums '^memory' | cmp - wanted.txt && echo 'two objects and the others: the same'
tr-report memory --by line --limit 0 --format csv accesses.tr | grep '^table\|^lines' | sums '^lost' | cmp - wanted.txt && echo 'lines: the same'
awk '{ print ($1 > 1000), ($2 > 1000) }' wanted.txt
