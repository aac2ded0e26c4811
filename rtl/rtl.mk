# SPDX-License-Identifier: Apache-2.0
# The hardware: its sources and their checks. sim/verilated/verilated.mk builds soc-sim.

# Generated sources do not depend on SAN, so they have one folder.
RTL_MAP := build/rtl/soc_map_pkg.sv
RTL_MACROS := rtl/sim/cover.svh rtl/sim/assert.svh rtl/sim/probe.svh
RTL_PKG := $(RTL_MAP) rtl/pkg/soc_pkg.sv $(filter-out rtl/pkg/soc_pkg.sv,$(sort $(wildcard rtl/pkg/*.sv))) \
	$(sort $(wildcard rtl/core/*/*_pkg.sv))
# rtl/trace is for other cores.
RTL_MODULES := $(sort $(filter-out $(RTL_PKG) rtl/trace/%,$(wildcard rtl/*.sv rtl/*/*.sv rtl/core/*/*.sv)))
RTL := $(RTL_MACROS) $(RTL_PKG) $(RTL_MODULES)
RTL_LINT := $(wildcard rtl/sim/lint.vlt)
# Signals that the probe modules of the hart and of its core declare.
RTL_PROBES := $(sort $(wildcard rtl/hart/probe_*.vlt rtl/core/*/probe_*.vlt))
# $(call rtl_files,NAME...): the files of these modules.
rtl_files = $(filter $(addprefix %/,$(addsuffix .sv,$(1))),$(RTL_MODULES))

# The constants of the machine, as a package.
$(RTL_MAP): sim/soc.h rtl/rtl.mk
	$(call say,AWK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk 'BEGIN { print "// Written by make from sim/soc.h.\npackage soc_map_pkg;" } \
	/^#define/ && $$3 ~ /^(0x[0-9a-fA-F]+|[0-9]+)$$/ { value = $$3; \
		if (sub(/^0x/, "64\047h", value) == 0) value = "64\047d" value; \
		printf "  localparam logic [63:0] %s = %s;\n", $$2, value } \
	END { print "endpackage" }' $< > $@

# The names of the classes for the header of traces, without "none"; without F and D also
# without the last. Those of the out-of-order core begin with those of the other.
RTL_CLASSES := build/rtl/rtl_classes.h
$(RTL_CLASSES): rtl/core/inorder/classes.sv rtl/core/ooo/ooo_classes.sv rtl/rtl.mk
	$(call say,AWK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk -F '"' 'FNR == 1 { core++ } /COVER_NAMED(_LANES)?\(class,/ { inside = 1; next } \
	inside { names[core] = names[core] $$2; if (/\}\)/) inside = 0 } \
	END { if (!sub(/^none,/, "", names[1]) || !sub(/^none,/, "", names[2])) exit 1; \
		if (index(names[2], names[1] ",") != 1) exit 1; \
		print "#define RTL_CLASSES_OOO \"" names[2] "\""; \
		print "#define RTL_CLASSES_FLOAT \"" names[1] "\""; \
		if (!sub(/,core.float$$/, "", names[1])) exit 1; print "#define RTL_CLASSES \"" names[1] "\"" }' \
		$(filter %.sv,$^) > $@

# Constants of the packages, for the harness.
RTL_CONSTANTS := build/rtl/rtl_constants.h
RTL_CONSTANT_NAMES := Commits UnitMem UnitSys PrivM ProbeWrite DmaMasterNic DmaMasterCopy L1dReady \
	LineInvalid LineExclusive LineModified \
	TraceEventBits TraceTokenBits TraceDetailBits TraceClassBits
$(RTL_CONSTANTS): rtl/pkg/soc_pkg.sv rtl/pkg/mem_pkg.sv rtl/rtl.mk
	$(call say,AWK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk -v names='$(RTL_CONSTANT_NAMES)' 'BEGIN { n = split(names, list); \
		print "/* Written by make from packages. */\n#pragma once" } \
	match($$0, /[A-Z][A-Za-z0-9]* = ([0-9]+\047[dh][0-9a-f_]+|[0-9]+;)/) { \
		split(substr($$0, RSTART, RLENGTH), word, / = ([0-9]+\047)?/); \
		number = word[2]; gsub(/[_;]/, "", number); sub(/^h/, "0x", number); sub(/^d/, "", number); \
		value[word[1]] = number } \
	END { for (i = 1; i <= n; i++) { if (!(list[i] in value)) { \
		print "no constant " list[i] > "/dev/stderr"; exit 1 } \
		print "static const uint64_t RTL_" list[i] " = UINT64_C(" value[list[i]] ");" } }' \
		rtl/pkg/soc_pkg.sv rtl/pkg/mem_pkg.sv > $@

# Other sizes of the hart than the defaults (rtl/pkg/config_pkg.sv).
RTL_OTHER_SIZES := L1iSets=32 L1iWays=2 L1dSets=32 L1dWays=8 ItlbSets=16 ItlbWays=2 BtbEntries=64 BhtEntries=1024 RasEntries=4
.PHONY: rtl-lint
rtl-lint: $(RTL) ## Lint the hardware with Verilator, in each configuration
	$(call say,LINT,rtl)
	$(Q)for options in '-DCOVER_POINTS -DASSERTIONS -DPROBES -DVIEW' '' '-GFloat=0 -DPROBES' '-GCores=1 -GCommits=4 -DPROBES -DASSERTIONS -DVIEW' '$(addprefix -G,$(RTL_OTHER_SIZES) DtlbSets=32 DtlbWays=2)'; do \
		verilator --lint-only -Wall $$options --top-module soc $(RTL_LINT) $(RTL); done
	$(Q)for options in '-DCOVER_POINTS -DASSERTIONS -DPROBES' '-GHarts=4' '-GFloat=0 -GL1dMisses=4' '-GCores=2 -GCommits=4'; do \
		verilator --lint-only -Wall $$options --top-module soc_smp $(RTL_LINT) $(RTL); done
	$(Q)for options in '' '-GHarts=4 -GDmaIds=8 -DASSERTIONS' '-GMisses=4 -GDmaIds=8 -DASSERTIONS'; do \
		verilator --lint-only -Wall $$options --top-module crossbar $(RTL_LINT) $(RTL); done
	$(Q)for options in '' '-GBtbSets=2 -GCounters=64 -GBranches=16 -GTargets=16 -GRas=2 -DASSERTIONS'; do \
		verilator --lint-only -Wall $$options --top-module block_predictor $(RTL_LINT) $(RTL); done
	$(Q)for options in '' '-GMisses=1 -DASSERTIONS' '-GMisses=8 -DCOVER_POINTS'; do \
		verilator --lint-only -Wall $$options --top-module dcache_nonblocking $(RTL_LINT) $(RTL); done
	$(Q)for options in '-DASSERTIONS' '-GWindow=8' '-GWidth=1'; do \
		verilator --lint-only -Wall $$options --top-module window $(RTL_LINT) $(RTL); done
	$(Q)for options in '' '-GWidth=1 -DASSERTIONS'; do \
		verilator --lint-only -Wall $$options --top-module extract $(RTL_LINT) $(RTL); done
	$(Q)for options in '' '-DASSERTIONS'; do \
		verilator --lint-only -Wall $$options --top-module fetch_port $(RTL_LINT) $(RTL); done
	$(Q)verilator --lint-only -Wall -DCHAOS=1 --top-module chaos_ooo $(RTL_LINT) $(RTL)
	$(Q)verilator --lint-only -Wall -GBytes=16 -DASSERTIONS -DCOVER_POINTS --top-module icache $(RTL_LINT) $(RTL)
	$(Q)for options in '' '-GQueue=2 -DASSERTIONS'; do \
		verilator --lint-only -Wall $$options --top-module memory_queue $(RTL_LINT) $(RTL); done
	$(Q)for options in '-DASSERTIONS' "-GWidth=1 -GWindow=8 -GQueue=2 -GCoherent=1'b1"; do \
		verilator --lint-only -Wall $$options --top-module memory_unit $(RTL_LINT) $(RTL); done
	$(Q)for options in '-DASSERTIONS -DPROBES' '-GCommits=1 -GWindow=8 -GQueue=2 -GFloat=0'; do \
		verilator --lint-only -Wall $$options --top-module core_ooo $(RTL_LINT) $(RTL); done
	$(Q)echo "rtl-lint: $(words $(RTL)) files in 31 configurations"

# The out-of-order core and its data cache are in no SoC by default.
RTL_SYNTH_TOPS := soc soc_smp core_ooo dcache_nonblocking
# The sources are read once, for all of these. Memories are not mapped to gates, which takes long
# and checks nothing more.
RTL_SYNTH = read_verilog -sv $(RTL); design -save read; \
	$(foreach t,$(RTL_SYNTH_TOPS),design -load read; hierarchy -check -top $(t); proc; opt; check -assert; \
		tee -q -o build/rtl/stat-$(t).txt stat;)
.PHONY: rtl-synth-check
rtl-synth-check: $(RTL) ## yosys reads, elaborates and checks the hardware
	$(call say,YOSYS,rtl)
	$(Q)yosys -q -p '$(RTL_SYNTH)'
	$(Q)echo "rtl-synth: $(words $(RTL)) files, of $(words $(RTL_SYNTH_TOPS)) modules and what they have"
