# SPDX-License-Identifier: Apache-2.0
# Samples of counters pass tr-match as they are, also in frames that wait for others,
# and those of tr-unwind are of the same cycles.
target=$SRC/build/target
soc-model --trace hello.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
sed "/^[^/]/s|^|$target/|" "$target/bins.lst" > bins.lst
tr-text hello.tr | awk '
	/^header content/ { print "header counters.0=rows,half" }
	{ print }
	/^row/ && ++n % 50 == 0 { printf "counters 0 | rows=%d half=%d\n", n, n / 2 }
	/^row/ && n % 200 == 0 { print "frame"; print "hart 0" }' |
	tr-text --encode -o counters.tr
tr-text --tokens counters.tr | awk '/^token/ { sub(/.* cycle=/, ""); cycle = $1 }
	/^gap|^trap/ { sub(/.* cycles=/, ""); cycle += $1 }
	/^counters/ { $3 = "cycle=" cycle; print }' > expected
tr-text counters.tr | grep '^counters' > before
[ "$(wc -l < before)" -gt 100 ] || echo "no more than $(wc -l < before)"
tr-match --bins bins.lst -o matched.tr counters.tr
tr-text matched.tr | grep '^counters' | cmp - before && echo "matched: the same"
tr-unwind matched.tr | tr-text | grep '^counters' | cmp - expected && echo "unwound: the same"
