# SPDX-License-Identifier: Apache-2.0
# `make CORE=ooo area`: the gates of the out-of-order core by module, and what its events and its
# trace port are of them. As in area.mk, but hierarchically: yosys cannot map the core as one
# module in reasonable time. The CSRs, with and without the event counters, are mapped alone. Results are in
# build/area-ooo/.

ifeq ($(CORE),ooo)
# A whole `opt` of the arithmetic, before it is gates, does not end.
AREA_OOO_GATES = $(subst alumacc; opt; techmap,alumacc; opt -fast; techmap,$(AREA_GATES))
AREA_OOO_CSRS := $(AREA)/csr-plain $(AREA)/csr-pmu
AREA_OOO_EVENTS = $(shell sed -n 's/.* EventBitsOoo = \([0-9]*\);/\1/p' rtl/pkg/csr_pkg.sv)
$(AREA)/csr-plain: AREA_PMU := 0
$(AREA)/csr-pmu: AREA_PMU := 1
$(AREA_OOO_CSRS): AREA_TOP = hierarchy -check -top csr -chparam Pmu $(AREA_PMU) -chparam Commits $(SIM_COMMITS) -chparam EventBits $(AREA_OOO_EVENTS); \
	proc; flatten; rename -top csr; cd csr; connect -set skip_i 16\047d0; cd ..; opt
$(AREA)/hart: AREA_TOP = hierarchy -check -top hart -chparam Core 1 -chparam Pmu 0 -chparam Commits $(SIM_COMMITS) -chparam L1dMisses $(SIM_MISSES); \
	proc; opt
$(AREA)/hart $(AREA_OOO_CSRS): $(RTL) $(AREA_LIB) pipelines/area.mk pipelines/area-ooo.mk
	$(call say,YOSYS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)printf '%b' '$(subst ;,;\n,read_verilog -sv $(RTL); $(AREA_TOP); $(AREA_MEMORIES); $(AREA_OOO_GATES))\n' > $@.ys
	$(Q)nice yosys -q $@.ys > $@.log 2>&1 || { tail -n 1 $@.log; exit 1; }
$(AREA)/area.txt: $(AREA)/hart $(AREA_OOO_CSRS) pipelines/area-ooo.awk
	$(Q)awk -f pipelines/area-ooo.awk $(AREA_LIB) $(AREA)/hart $(AREA_OOO_CSRS) $(AREA)/hart.sram > $@.new || \
		{ cat $@.new >&2; exit 1; }; mv $@.new $@
endif
