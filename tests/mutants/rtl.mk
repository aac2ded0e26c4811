# SPDX-License-Identifier: Apache-2.0
# `make mutants-rtl`: checks that the programs that test the hardware notice small changes
# of it.

MUTANTS_RTL_SEED := 1
MUTANTS_RTL_COUNT := 100
MUTANTS_RTL_KILLED := 95
# Packages contain only names for numbers. The programs run on one hart, with the core in order.
MUTANTS_RTL_FILES := $(filter-out rtl/soc_smp.sv rtl/hart/probe_%.sv rtl/core/inorder/probe_%.sv rtl/core/ooo/%.sv rtl/cache/dcache_nonblocking.sv rtl/mem/crossbar%.sv rtl/mem/round_robin.sv,$(RTL_MODULES))
# Floating point alone.
MUTANTS_FLOAT_FILES := $(wildcard rtl/exec/fpu*.sv rtl/core/inorder/float_*.sv rtl/exec/decoder_float.sv)

MUTANTS_RTL := $(MUTANTS)/rtl
MUTANTS_RTL_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard sim/verilated/*.c) $(RUN)) \
	$(SMP_OBJS) $(SIM_LIBS)
MUTANTS_VERILATOR = verilator $(VERILATOR_FLAGS) --top-module $(SIM_TOP)
MUTANTS_RTL_SEEDS := $(shell seq 12)
MUTANTS_RTL_RANDOM := $(MUTANTS_RTL_SEEDS:%=$(MUTANTS_RTL)/random-%.elf)
MUTANTS_RTL_FLOAT := $(MUTANTS_RTL_SEEDS:%=$(MUTANTS_RTL)/float-%.elf)
MUTANTS_RTL_NIC = $(NIC_TESTS:%=$(NIC_B)/%.elf)
MUTANTS_RTL_DEMO := $(TARGET_B)/firmware.elf $(TARGET_B)/hello.elf

$(MUTANTS_RTL)/mutate: $(MUTANTS)/mutate
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

$(MUTANTS_RTL_RANDOM): $(MUTANTS_RTL)/random-%.elf: $(B)/random/random-program
	$(Q)mkdir -p $(@D)
	$(Q)$< --seed $* --instructions 200000 -o $@
$(MUTANTS_RTL_FLOAT): $(MUTANTS_RTL)/float-%.elf: $(B)/random/random-program
	$(Q)mkdir -p $(@D)
	$(Q)$< --seed $* --instructions 200000 --mix float -o $@

# Directed tests, then random programs, both without and with floating point, then the
# demo's hello, in lockstep: unchanged, without skipping idle cycles, and with lower memory
# latencies. Then alone, where few tokens are full, with all counters. Programs that use the
# network interface and the copy unit, which the others do not, are named nic-* and copy-*.
$(MUTANTS_RTL)/programs: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(MUTANTS_RTL_NIC) $(MUTANTS_RTL_RANDOM) $(MUTANTS_RTL_FLOAT) \
		$(MUTANTS_RTL_DEMO) tests/mutants/rtl.mk
	$(Q)mkdir -p $(@D)
	$(Q){ for name in $(ISA_TESTS); do \
		input=$(CURDIR)/tests/isa/$$name.in; [ -e $$input ] || input=/dev/null; \
		status=$$(cat tests/isa/$$name.exit 2> /dev/null || echo 0); \
		echo "$$name $$input $$status --lockstep $(CURDIR)/$(ISA)/$$name.elf"; done; \
	for elf in $(MUTANTS_RTL_RANDOM); do \
		echo "$$(basename $$elf .elf) /dev/null 0 --lockstep $(CURDIR)/$$elf"; done; \
	for elf in $(ISA_FLOAT) $(MUTANTS_RTL_FLOAT); do \
		echo "$$(basename $$elf .elf) /dev/null 0 --isa rv64gc --lockstep $(CURDIR)/$$elf"; done; \
	for elf in $(ISA_COPY); do \
		echo "$$(basename $$elf .elf) /dev/null 0 --copy-unit --lockstep $(CURDIR)/$$elf"; done; \
	for elf in $(MUTANTS_RTL_NIC); do \
		echo "nic-$$(basename $$elf .elf) /dev/null 0 --nic loopback --lockstep $(CURDIR)/$$elf"; done; \
	elfs="$(MUTANTS_RTL_DEMO:%=$(CURDIR)/%)"; \
	echo "hello /dev/null 0 --lockstep $$elfs"; \
	echo "hello-no-skip /dev/null 0 --lockstep --no-skip $$elfs"; \
	echo "hello-near /dev/null 0 --lockstep --l2-latency 3 --dram-latency 20 $$elfs"; \
	echo "hello-counters /dev/null 0 --counters all --counters-every 10k $$elfs"; } > $@

# The benches of the FPU, the network interface and the copy unit are the first test of their
# modules: HDL_NAME and OBJECTS_NAME for each.
MUTANTS_BENCHES := fpu nic copy_unit
MUTANTS_BENCH_HDL = $(RTL_MACROS) $(RTL_PKG) $(call rtl_files,$(1)) $(MODULES_BELOW_$(1))
MUTANTS_BENCH_OBJS = $(MODULES)/$(1)/bench.o $(MODULES_OBJS_$(1)) \
	$(SIM)/verilated.o $(SIM)/verilated_threads.o
mutants_benches = $(foreach b,$(MUTANTS_BENCHES),HDL_$(b)='$(call MUTANTS_BENCH_HDL,$(b))' OBJECTS_$(b)='$(call MUTANTS_BENCH_OBJS,$(b))')

# $(call mutants_rtl,FILES)
define mutants_rtl
	$(Q)CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS) -I$(CURDIR)/build/rtl' LDLIBS='$(RUN_LIBS) $(LDLIBS)' VERILATOR='$(MUTANTS_VERILATOR)' KNOWN='$(SIM_VERILATOR)' \
		HDL='$(RTL_LINT) $(SIM_VLT) $(RTL)' PEERS='$(filter-out sim/verilated/soc_smp.cc sim/verilated/view.cc,$(wildcard sim/verilated/*.cc)) tests/mutants/power-up.cc' \
		OBJECTS='$(MUTANTS_RTL_OBJS)' BENCH_VERILATOR='$(MODULES_VERILATOR)' BENCHES='$(MUTANTS_BENCHES)' $(mutants_benches) \
		tests/mutants/run-rtl.sh $(MUTANTS_RTL) $(MUTANTS_RTL)/programs \
		$(MUTANTS_RTL_SEED) $(MUTANTS_RTL_COUNT) $(MUTANTS_RTL_KILLED) $(1)
endef

.PHONY: mutants-rtl mutants-float
mutants-rtl mutants-float: test-mutants $(MUTANTS_RTL)/mutate $(MUTANTS_RTL)/programs $(MUTANTS_RTL_OBJS) \
	$(foreach b,$(MUTANTS_BENCHES),$(call MUTANTS_BENCH_OBJS,$(b))) \
	$(RTL) $(RTL_CONSTANTS)
mutants-rtl: ## Test the tests of the hardware: few seeded changes may survive
	$(call mutants_rtl,$(MUTANTS_RTL_FILES))
mutants-float: ## The same with changes of floating point alone
	$(call mutants_rtl,$(MUTANTS_FLOAT_FILES))

# Chosen changes of the crossbar and of the L1D, for its bench.
.PHONY: mutants-crossbar
mutants-crossbar: $(addprefix $(MODULES)/crossbar-,4/bench misses/bench) ## Chosen errors of coherence: the bench of the crossbar must notice all
	$(Q)CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) -GHarts=4 --top-module caches' \
		HDL='$(filter %.svh %.sv,$(RTL_MACROS) $(RTL_PKG) rtl/mem/crossbar.sv $(MODULES_BELOW_crossbar))' \
		OBJECTS='$(addprefix $(MODULES)/crossbar-4/,bench.o) $(addprefix $(SIM)/,verilated.o verilated_threads.o)' \
		tests/mutants/chosen.sh $(MUTANTS)/crossbar tests/mutants/crossbar.changes
	$(Q)CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) -GMisses=4 --top-module caches' \
		HDL='$(filter %.svh %.sv,$(RTL_MACROS) $(RTL_PKG) rtl/mem/crossbar.sv $(MODULES_BELOW_crossbar))' \
		OBJECTS='$(addprefix $(MODULES)/crossbar-misses/,bench.o) $(addprefix $(SIM)/,verilated.o verilated_threads.o)' \
		tests/mutants/chosen.sh $(MUTANTS)/crossbar_misses tests/mutants/crossbar_misses.changes

# The same of the non-blocking L1D.
.PHONY: mutants-l1d
mutants-l1d: $(MODULES)/dcache_nonblocking-coherent/bench ## Chosen errors of the non-blocking L1D: its bench must notice all
	$(Q)CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) -GCoherent=1'\''b1 --top-module dcache_nonblocking' \
		HDL='$(RTL_MACROS) $(RTL_PKG) rtl/cache/dcache_nonblocking.sv' \
		OBJECTS='$(addprefix $(MODULES)/dcache_nonblocking-coherent/,bench.o) $(addprefix $(SIM)/,verilated.o verilated_threads.o)' \
		tests/mutants/chosen.sh $(MUTANTS)/l1d tests/mutants/dcache_nonblocking.changes

# The same of the copy unit.
.PHONY: mutants-copy
mutants-copy: $(MODULES)/copy_unit/bench ## Chosen errors of the copy unit: its bench must notice all
	$(Q)CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) --top-module copy_unit' \
		HDL='$(RTL_MACROS) $(RTL_PKG) rtl/mem/copy_unit.sv $(MODULES_BELOW_copy_unit)' \
		OBJECTS='$(MODULES)/copy_unit/bench.o $(addprefix $(SIM)/,verilated.o verilated_threads.o)' \
		tests/mutants/chosen.sh $(MUTANTS)/copy tests/mutants/copy.changes

# The same of the way of DMA to the crossbar.
.PHONY: mutants-gather
mutants-gather: $(MODULES)/crossbar_gather-8/bench ## Chosen errors of DMA with several harts: its bench must notice all
	$(Q)CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) -GIds=8 --top-module crossbar_gather' \
		HDL='$(RTL_MACROS) $(RTL_PKG) rtl/mem/crossbar_gather.sv' \
		OBJECTS='$(MODULES)/crossbar_gather-8/bench.o $(addprefix $(SIM)/,verilated.o verilated_threads.o)' \
		tests/mutants/chosen.sh $(MUTANTS)/gather tests/mutants/gather.changes

# The same of the modules of the out-of-order core.
MUTANTS_OOO := $(filter-out core_ooo,$(filter $(basename $(notdir $(wildcard rtl/core/ooo/*.sv))),$(basename $(notdir $(wildcard tests/mutants/*.changes)))))
.PHONY: mutants-ooo
mutants-ooo: $(MUTANTS_OOO:%=$(MODULES)/%/bench) $(B)/ooo/small/lockstep ## Chosen errors of the out-of-order core: its benches must notice all
	$(Q)$(foreach m,$(MUTANTS_OOO),CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) --top-module $(or $(MODULES_TOP_$(m)),$(m))' \
		HDL='$(RTL_MACROS) $(RTL_PKG) rtl/core/ooo/$(m).sv $(MODULES_BELOW_$(m))' \
		OBJECTS='$(MODULES)/$(m)/bench.o $(MODULES_OBJS_$(m)) $(addprefix $(SIM)/,verilated.o verilated_threads.o)' \
		tests/mutants/chosen.sh $(MUTANTS)/$(m) tests/mutants/$(m).changes;)
	$(Q)CXX='$(CXX)' INCLUDES='$(MODULES_INCLUDES)' VERILATOR='$(MODULES_VERILATOR) -DPROBES $(addprefix -G,$(OOO_PARAMETERS_small)) --top-module flat' \
		HDL='$(RTL_MACROS) $(RTL_PKG) $(OOO_RTL) tests/ooo/flat.sv' \
		OBJECTS='$(OOO_SOURCES:%=$(OOO)/small/%.o) $(OOO_RANDOM) $(B)/libsocmodel.a $(addprefix $(SIM)/,verilated.o verilated_threads.o) $(OOO_MODEL_LIBS)' \
		tests/mutants/chosen.sh $(MUTANTS)/core_ooo tests/mutants/core_ooo.changes

# The same of interrupts between two harts, for programs on soc-sim.
MUTANTS_SMP_OBJS = $(addprefix $(SIM)/,hot.o soc.o) $(SIM_SHARED)
MUTANTS_SMP_PROGRAMS := $(addprefix $(B)/smp/,ipi.elf ipi-both.elf)
.PHONY: mutants-interrupts
mutants-interrupts: $(B)/bin/soc-sim $(MUTANTS_SMP_PROGRAMS) ## Lost interrupts: programs of two harts must notice all
	$(Q)CXX='$(CXX)' INCLUDES='-iquote . -Ibuild/rtl $(MODULES_INCLUDES) -D_GNU_SOURCE -Ifilters/lib -DTRACE_PORT=1 -DHAS_FLOAT=1' \
		VERILATOR='verilator $(VERILATOR_FLAGS:Vsoc=Vsmp) --top-module soc_smp' KNOWN='$(SIM_VERILATOR)' PREFIX=Vsmp \
		HDL='$(RTL_LINT) $(SIM_VLT) sim/verilated/smp.vlt $(RTL)' PEERS='sim/verilated/soc_smp.cc' \
		OBJECTS='$(MUTANTS_SMP_OBJS) $(SIM_LIBS) $(RUN_LIBS) $(LDLIBS)' PROGRAMS='$(MUTANTS_SMP_PROGRAMS)' \
		tests/mutants/chosen.sh $(MUTANTS)/interrupts tests/mutants/interrupts.changes
