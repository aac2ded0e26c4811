# SPDX-License-Identifier: Apache-2.0
# `make area`: the cost of the event counters in gates and in switching, and that of
# floating point in gates, by yosys and Verilator. The RV64IMAC core is mapped to the gates
# of area.lib without and with the parameter Pmu, and with Float; all three have mcycle and
# minstret. Results are in build/area/. area-ooo.mk has the out-of-order core.

AREA := build/area$(CORE_SUFFIX)
AREA_LIB := pipelines/area.lib
# Memories of at least this many words are SRAM and are not counted.
AREA_SRAM := 64

# The trace port and the skipping of cycles exist for simulation only.
AREA_CORE = read_verilog -sv $(RTL); hierarchy -check -top hart -chparam TracePort 0 $(1); \
	proc; flatten; rename -top hart; cd hart; delete -input w:skip_i; delete -output w:idle_o; connect -set skip_i 16\047d0; cd ..; opt
AREA_MEMORIES = memory_collect; memory_map t:$$mem_v2 r:SIZE<$(AREA_SRAM) %i; opt_clean; dump -o $@.sram t:$$mem_v2
AREA_GATES = wreduce; alumacc; opt; techmap; opt -fast; dfflegalize -cell $$_DFF_P_ 01; opt -fast; \
	dfflibmap -liberty $(AREA_LIB); abc -fast -liberty $(AREA_LIB); opt_clean -purge; \
	tee -q -o $@ stat -liberty $(AREA_LIB)

AREA_STATS := $(AREA)/plain $(AREA)/pmu $(AREA)/float
$(AREA)/plain: AREA_PARAMETERS := -chparam Pmu 0 -chparam Float 0
$(AREA)/pmu: AREA_PARAMETERS := -chparam Pmu 1 -chparam Float 0
$(AREA)/float: AREA_PARAMETERS := -chparam Pmu 0 -chparam Float 1
$(AREA_STATS): $(RTL) $(AREA_LIB) pipelines/area.mk
	$(call say,YOSYS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)printf '%b' '$(subst ;,;\n,$(call AREA_CORE,$(AREA_PARAMETERS)); opt_mem; $(AREA_MEMORIES); $(AREA_GATES))\n' > $@.ys
	$(Q)yosys -q $@.ys > $@.log 2>&1 || { tail -n 1 $@.log; exit 1; }

# Verilator counts toggles in the harness of soc-sim.
AREA_GEN := $(AREA)/verilated
AREA_SIM := $(AREA)/soc-sim
AREA_INCLUDES = $(subst -DVM_COVERAGE=0,-DVM_COVERAGE=1,$(subst $(SIM_GEN),$(AREA_GEN),$(SIM_INCLUDES)))
$(AREA_GEN)/Vsoc.h: $(RTL) $(RTL_CONSTANTS) $(SIM_VLT) sim/verilated/shorten.sh pipelines/area.mk
	$(call say,RTL,$@)
	$(Q)rm -rf $(@D); mkdir -p $(@D)
	$(Q)verilator --cc -O3 -DPROBES --coverage-toggle --x-assign fast --x-initial fast --noassert --prefix Vsoc \
		--top-module soc --Mdir $(@D) $(RTL_LINT) $(SIM_VLT) $(RTL)
	$(Q)sim/verilated/shorten.sh $(@D) $(SIM_VERILATOR)
# One file includes all, because functions that are inline are called from others.
$(AREA)/all.cc: $(AREA_GEN)/Vsoc.h
	$(Q)for f in $(AREA_GEN)/*.cpp; do echo "#include \"$$f\""; done > $@
AREA_CXX := $(addprefix sim/verilated/,soc.cc cover.cc probe.cc rtl.cc) pipelines/area-toggles.cc $(AREA)/all.cc
$(AREA_SIM): $(AREA_GEN)/Vsoc.h $(AREA_CXX) $(SIM_C:%.c=$(B)/obj/%.o) $(SIM_LIBS)
	$(call say,CXX,$@)
	$(Q)$(CXX) $(CPPFLAGS) -I. $(AREA_INCLUDES) $(filter-out -g,$(CXXFLAGS)) -O0 -w $(LDFLAGS) -Wl,--wrap=rtl_release -o $@ \
		$(AREA_CXX) $(addprefix $(VERILATOR_ROOT)/include/,verilated.cpp \
		verilated_threads.cpp verilated_cov.cpp) $(filter %.o,$^) $(SIM_LIBS) $(RUN_LIBS) $(LDLIBS)

AREA_TOGGLES := $(AREA)/idle $(AREA)/counting
$(AREA)/idle.elf: AREA_EVENTS :=
$(AREA)/counting.elf: AREA_EVENTS := -DEVENTS
$(AREA_TOGGLES:%=%.elf): pipelines/area-load.S sim/soc.h pipelines/area.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(AREA_EVENTS) -nostdlib -static -Ttext=0x80000000 -Wl,-n,--no-warn-rwx-segments -o $@ $<
$(AREA_TOGGLES:%=%.dat): %.dat: %.elf $(AREA_SIM)
	$(call say,SIM,$@)
	$(Q)rm -rf $*; mkdir -p $*; cd $*; ../soc-sim --trace run.tr ../$(<F) < /dev/null; mv coverage.dat ../$(@F)
	$(Q)$(B)/bin/tr-text $*/run.tr | sed -n 's/^end cycles=/cycles /p' > $*.cycles

.PHONY: area
area: $(B)/bin/tr-text ## Area of the event counters and of floating point; switching activity
	@$(MAKE) -s --no-print-directory $(AREA)/area.txt
	@cat $(AREA)/area.txt
ifeq ($(CORE),inorder)
$(AREA)/area.txt: $(AREA_STATS) $(AREA_TOGGLES:%=%.dat) pipelines/area.awk
	$(Q)awk -f pipelines/area.awk $(AREA_LIB) $(AREA_STATS) $(AREA)/plain.sram \
		$(foreach t,$(AREA_TOGGLES),$(t).cycles $(t).dat) > $@.new || \
		{ cat $@.new >&2; exit 1; }; mv $@.new $@
endif
