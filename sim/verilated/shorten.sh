#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shortens the way through what Verilator wrote, and writes triggers.h, which tells rtl.cc how
# to call it. Both rely on code that no interface promises: where this is not the version
# that is known, or the code is not as there, it says so and leaves the slower way, which is right.
#
#   shorten.sh FOLDER VERSION     of Verilator's files; the version that is known
set -eu -o pipefail
export LC_ALL=C
cd "$1"
version=$(verilator --version | awk '{ print $2 }')

usual() { # WHAT
	echo "  NOTE   Verilator $version: $1; soc-sim is slower for it" >&2
}

# Value and index of a memory's write are looked at when there is one, and set then.
# Verilator sets them to 0 in each cycle before: 2 % of all instructions.
zero='^ +__Vdlyv(val|dim[0-9]+)__\w+ = 0;$'
if [ "$version" = "$2" ] && grep -qE "$zero" ./*.cpp; then
	sed -i -E "/$zero/d" ./*.cpp
else
	usual 'writes of memories begin with a 0 that stays'
fi

# The number of a clock's trigger: -1 for one that this build has not.
triggers=$(sed -n "s/.*'nba' region trigger index \([0-9]*\) is active: @(posedge \([^)]*\)).*/\2 \1/p" ./*Slow.cpp)
number() { # CLOCK
	awk -v clock="$1" '$1 == clock { n = $2; found = 1 } END { print found ? n : -1 }' <<< "$triggers"
}

# All triggers are clocks that rtl.cc knows, and inputs have the one of the first iteration.
is_known() {
	[ "$version" = "$2" ] && [ "$(number clk_i)" != -1 ] &&
		! awk '{ print $1 }' <<< "$triggers" |
			grep -qvxE 'clk_i|trace_clk_i|class_clk_i|float_clk_i|cover_pkg\.clk' &&
		[ "$(grep -hc "'ico' region trigger index" ./*Slow.cpp | awk "{ n += \$1 } END { print n }")" = 1 ] &&
		grep -q "'ico' region trigger index 0 is active: Internal 'ico' trigger" ./*Slow.cpp &&
		grep -q '^void Vsoc___024root___eval_ico(Vsoc___024root\* vlSelf) {' ./*.cpp &&
		grep -q '^void Vsoc___024root___eval_nba(Vsoc___024root\* vlSelf) {' ./*.cpp
}

alone=1
is_known "$@" || { alone=0 && usual 'edges of clocks are evaluated with all that eval() does'; }
cat > triggers.h << END
/* Whether an edge can be evaluated alone, and the triggers for that. */
#define EDGE_ALONE $alone
enum {
	TRIGGER_CLK = $(number clk_i),
	TRIGGER_TRACE_CLK = $(number trace_clk_i),
	TRIGGER_CLASS_CLK = $(number class_clk_i),
	TRIGGER_FLOAT_CLK = $(number float_clk_i),
	TRIGGER_COVER_CLK = $(number cover_pkg.clk)
};
END
