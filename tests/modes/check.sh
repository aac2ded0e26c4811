#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that masks.sh fails on what it must not let pass, and on nothing else.
#
#   tests/modes/check.sh WORK
set -eu -o pipefail
masks=$(cd "$(dirname "$0")" && pwd)/masks.sh
rm -rf "$1"
mkdir -p "$1"
work=$(cd "$1" && pwd)
failed=
wrong=0

# Expects a status and a line of output for sources of one file.
expect() { # STATUS PATTERN FILE LINE
	local status=0 out
	rm -rf "${work:?}"/*
	mkdir -p "$work/filters/lib/stream" "$work/$(dirname "$3")"
	echo 'mode.nominal = priv & 3;' > "$work/filters/lib/stream/mode.h"
	echo 'static int other;' > "$work/filters/other.c"
	printf '%s\n' "$4" > "$work/$3"
	out=$("$masks" "$work" 2>&1) || status=$?
	if [ "$status" != "$1" ] || ! grep -qE -- "$2" <<< "$out"; then
		printf 'masks.sh on %s: status %s:\n%s\n' "$4" "$status" "$out"
		failed=1
	fi
	[ "$1" = 0 ] || wrong=$((wrong + 1))
}

# shellcheck disable=SC2016 # lines of C
while IFS= read -r line; do
	expect 1 '^modes: takes a privilege apart: filters/a\.c:1:' filters/a.c "$line"
done << 'END'
	return (context->priv & 3) == TR_PRIV_U;
	PRIVS[c->next_priv & 3]
	uint8_t priv = priv_at(u, h, p) & 3U;
	if ((s->traps[i].from & 3) == TR_PRIV_U)
	if ((now & 0x3) != TR_PRIV_M)
	if (event->u.xret.priv & TR_PRIV_V)
	c.priv &= 3;
	c.priv &= ~4U;
	rank = priv % 4;
	if (t->priv == 3 || !satp)
	return last->to_priv != 0x1U;
	if ((c->priv) == 0)
END
for file in rtl/trace/a.c sim/run/a.cc sim/lockstep/a.h tests/unit/a.c; do
	expect 1 "^modes: takes a privilege apart: $file:1:" $file 'x = priv & 3;'
done
for file in sim/target/a.c tests/cli/a.c filters/a.sv; do
	expect 0 '^modes: [12] files take no privilege apart$' $file 'x = priv & 3;'
done
while IFS= read -r line; do
	expect 0 '^modes: 2 files take no privilege apart$' filters/a.c "$line"
done << 'END'
	if (c->priv && 3 < n)
	if ((insn & 3) == 3)
	fresh->priv |= TR_PRIV_V;
	if (priv == 2 || priv != 10)
	return hart->priv == TR_PRIV_M && is_priv != 16;
	return tr_mode_of(priv).nominal;
END
rm "$work/filters/lib/stream/mode.h"
status=0
"$masks" "$work" > "$work/out" || status=$?
[ $status = 1 ] && grep -q 'are missing$' "$work/out" || failed=1
rm -rf "${work:?}/filters"
status=0
"$masks" "$work" > "$work/out" || status=$?
[ $status = 1 ] && grep -q 'are missing$' "$work/out" || failed=1

[ -z "$failed" ] && echo "modes: the check fails on each of $((wrong + 2)) wrong inputs"
