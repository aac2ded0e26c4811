# SPDX-License-Identifier: Apache-2.0
# Makes a trace, as text, one of a core without pc_wdata: it does not know where an
# interrupt came that follows a transfer to a register, or a return from a trap.
/^block / { last[$2] = $NF }
/^row / { transfers = last[$2] ~ /^(30200073|10200073|[0-9a-f]{6}(67|e7)|[89][0-9a-f][08]2)$/ }
/^trap interrupt/ && transfers { sub(/ epc=0x[0-9a-f]+/, "") }
{ print }
