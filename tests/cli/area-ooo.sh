# SPDX-License-Identifier: Apache-2.0
# The table of `make CORE=ooo area` from small statistics: modules in modules, with and without
# parameters, memories, and a share of the events that is too large.
awk=$SRC/pipelines/area-ooo.awk
cat > small.lib << 'END'
  cell(NAND2) { area: 1.00; pin(A) { direction: input; } }
  cell(DFF)   { area: 5.00; ff(IQ, IQN) { clocked_on: C; } }
END
module() { # NAME CELL COUNT...
	printf '\n=== %s ===\n\n   Number of wires:   99\n   Number of cells:   7\n' "$1"
	shift
	printf '     %-40s %d\n' "$@"
	printf '\n   Chip area for module: 7.000\n'
}
{
	# shellcheck disable=SC2016 # names of yosys
	module hart NAND2 10 '$paramod$0f1e\core_ooo' 1 csr 1 trace_port 1 '$mem_v2' 3
	# shellcheck disable=SC2016 # names of yosys
	module '$paramod$0f1e\core_ooo' NAND2 100 DFF 20 '$paramod\alu\W=4' 3 alu 1 ooo_events 1 ooo_classes 1 ooo_idle 1
	# shellcheck disable=SC2016 # names of yosys
	module '$paramod\alu\W=4' NAND2 100
	module alu NAND2 50 DFF 2
	module csr NAND2 9999
	module trace_port DFF 30
	module ooo_events NAND2 4 DFF 1
	module ooo_classes NAND2 40
	module ooo_idle NAND2 8
	printf '\n=== design hierarchy ===\n\n   hart 1\n     core_ooo 1\n   Number of cells: 99\n     NAND2 5000\n'
} > hart
module csr NAND2 100 DFF 20 > csr-plain
module csr NAND2 108 DFF 21 > csr-pmu
# shellcheck disable=SC2016 # names of yosys
printf '%s\n' 'module $paramod$12\icache' 'cell $mem_v2 $auto' 'parameter \MEMID "\\tag_q"' 'parameter \RD_PORTS 4' \
	'parameter \SIZE 256' 'parameter \WIDTH 44' 'parameter \WR_PORTS 1' end end > hart.sram
table() { awk -f "$awk" small.lib hart csr-plain csr-pmu hart.sram; }
table
echo "exit $?"
echo '# more than 4 %'
module csr NAND2 108 DFF 28 > csr-pmu
table | grep event
echo "exit ${PIPESTATUS[0]}"
echo '# a module without statistics, one that is gone, no counters'
cp hart kept
sed -i 's/ alu  /gone  /' hart
table
echo "exit $?"
sed 's/ooo_idle/idle/' kept > hart
table
echo "exit $?"
cp kept hart
cp csr-plain csr-pmu
table
echo "exit $?"
