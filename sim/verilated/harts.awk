# SPDX-License-Identifier: Apache-2.0
# Makes eval_nba() call the code of a hart only at an edge of the hart's clock: also the code
# for its clocks of floating point and of the trace port, which then change nothing. The input
# is the file with that function, the output the same file with these functions:
#
#   eval_nba_all(), eval_nba_some()   the edge with the clocks of all harts, and without
#   eval_hart0(), eval_hart1()        the logic between registers that depends on a hart, for one
#                                     that is wanted after an edge that it did not have: inputs of
#                                     the hart have changed
#   eval_nba()                        calls one of the first two
#
# A condition with several triggers is that of logic between registers.
#
#   awk -f harts.awk -v prefix=Vsmp -v harts="5 6" -v others="8 9 10" FILE.cpp
#
# harts: the triggers of their clocks; others: those of the clocks mentioned above.

function at(n) { return sprintf(n < 10 ? "vlSelf->__VnbaTriggered.at(%dU)" : "vlSelf->__VnbaTriggered.at(0x%xU)", n) }

# Returns the text with the clocks of all harts running.
function running(text,    h, from) {
	for (h = 1; h <= nharts; h++)
		while (from = index(text, at(clk[h])))
			text = substr(text, 1, from - 1) "true" substr(text, from + length(at(clk[h])))
	return text
}

function begin_block(    i) {
	between = condition ~ /\|/
	others_alone = 0
	for (i = 1; i <= nothers; i++)
		if (index(condition, at(other[i]))) others_alone = !between
}

function call(line,    hart, h) {
	for (h = 1; h <= nharts; h++)
		if (between && index(condition, at(clk[h]))) again[h] = again[h] line "\n"
	all = all line "\n"
	hart = match(line, /[0-9]+__KET____DOT__u_hart\)/) ? substr(line, RSTART) + 1 : 0
	if (hart && (others_alone || (between && index(condition, at(clk[hart])))))
		sub(/^ +/, "        if (" at(clk[hart]) ") ", line)
	some = some line "\n"
}

function define(name, body) {
	printf "void %s___024root___%s%s\n", prefix, name, argument
	printf "    %s__Syms* const __restrict vlSymsp = vlSelf->vlSymsp;\n%s}\n\n", prefix, body
}

BEGIN {
	nharts = split(harts, clk, " ")
	nothers = split(others, other, " ")
}
$0 ~ "^void " prefix "___024root___eval_nba\\(.*\\{$" {
	inside = 1
	argument = $0
	sub(/^[^(]*/, "", argument)
	next
}
inside && /^}/ {
	inside = 0
	for (h = 1; h <= nharts; h++) {
		define("eval_hart" (h - 1), again[h])
		both = both (h > 1 ? " && " : "") at(clk[h])
	}
	define("eval_nba_all", all)
	define("eval_nba_some", some)
	printf "void %s___024root___eval_nba%s\n    if (%s)\n", prefix, argument, both
	printf "        %s___024root___eval_nba_all(vlSelf);\n    else\n", prefix
	printf "        %s___024root___eval_nba_some(vlSelf);\n}\n", prefix
	next
}
inside && /^        [^ ]/ && !opens { call($0); next }
inside {
	if (/^    if \(/) { condition = ""; opens = 1 }
	if (/VL_ATTR_UNUSED|VL_DEBUG_IF|Prevent unused|\/\/ Body/) { opens = 0; next }
	if (opens) condition = condition $0
	if (opens && /\{$/) {
		opens = 0
		begin_block()
		all = all running(condition) "\n"
		some = some condition "\n"
	} else if (!opens) {
		all = all $0 "\n"
		some = some $0 "\n"
	}
	next
}
{ print }
