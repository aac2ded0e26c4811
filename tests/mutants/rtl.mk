# SPDX-License-Identifier: Apache-2.0
# `make mutants-rtl`: checks that the programs that test the hardware notice small changes
# of it.

MUTANTS_RTL_SEED := 1
MUTANTS_RTL_COUNT := 100
MUTANTS_RTL_KILLED := 95
# Packages contain only names for numbers.
MUTANTS_RTL_FILES := $(filter-out %_pkg.sv,$(wildcard rtl/*.sv))

MUTANTS_RTL := $(MUTANTS)/rtl
MUTANTS_RTL_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard sim/verilated/*.c) $(RUN)) \
	$(addprefix $(B)/,liblockstep.a libsocmodel.a libtr.a)
MUTANTS_VERILATOR = verilator $(VERILATOR_FLAGS) --top-module $(SIM_TOP)
MUTANTS_RTL_SEEDS := $(shell seq 12)
MUTANTS_RTL_RANDOM := $(MUTANTS_RTL_SEEDS:%=$(MUTANTS_RTL)/random-%.elf)
MUTANTS_RTL_DEMO := $(TARGET_B)/firmware.elf $(TARGET_B)/hello.elf

$(MUTANTS_RTL)/mutate: $(MUTANTS)/mutate
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

$(MUTANTS_RTL_RANDOM): $(MUTANTS_RTL)/random-%.elf: $(B)/random/random-program
	$(Q)mkdir -p $(@D)
	$(Q)$< --seed $* --instructions 200000 -o $@

# Directed tests, then random programs, then the demo's hello, in lockstep: unchanged,
# without skipping idle cycles, and with lower memory latencies. Then alone, where few
# tokens are full, with all counters.
$(MUTANTS_RTL)/programs: $(ISA_ELFS) $(MUTANTS_RTL_RANDOM) $(MUTANTS_RTL_DEMO) tests/mutants/rtl.mk
	$(Q)mkdir -p $(@D)
	$(Q){ for name in $(ISA_TESTS); do \
		input=$(CURDIR)/tests/isa/$$name.in; [ -e $$input ] || input=/dev/null; \
		status=$$(cat tests/isa/$$name.exit 2> /dev/null || echo 0); \
		echo "$$name $$input $$status --lockstep $(CURDIR)/$(ISA)/$$name.elf"; done; \
	for elf in $(MUTANTS_RTL_RANDOM); do \
		echo "$$(basename $$elf .elf) /dev/null 0 --lockstep $(CURDIR)/$$elf"; done; \
	elfs="$(MUTANTS_RTL_DEMO:%=$(CURDIR)/%)"; \
	echo "hello /dev/null 0 --lockstep $$elfs"; \
	echo "hello-no-skip /dev/null 0 --lockstep --no-skip $$elfs"; \
	echo "hello-near /dev/null 0 --lockstep --l2-latency 3 --dram-latency 20 $$elfs"; \
	echo "hello-counters /dev/null 0 --counters all --counters-every 10k $$elfs"; } > $@

.PHONY: mutants-rtl
mutants-rtl: $(MUTANTS_RTL)/mutate $(MUTANTS_RTL)/programs $(MUTANTS_RTL_OBJS) $(RTL) $(RTL_CONSTANTS) ## Test the tests of the hardware: few seeded changes may survive
	$(Q)CXX='$(CXX)' CPPFLAGS='$(CPPFLAGS) -I$(CURDIR)/build/rtl' LDLIBS='$(RUN_LIBS) $(LDLIBS)' VERILATOR='$(MUTANTS_VERILATOR)' KNOWN='$(SIM_VERILATOR)' \
		HDL='$(RTL_LINT) $(wildcard sim/verilated/*.vlt) $(RTL)' PEERS='$(wildcard sim/verilated/*.cc) tests/mutants/power-up.cc' \
		OBJECTS='$(MUTANTS_RTL_OBJS)' tests/mutants/run-rtl.sh $(MUTANTS_RTL) \
		$(MUTANTS_RTL)/programs $(MUTANTS_RTL_SEED) $(MUTANTS_RTL_COUNT) \
		$(MUTANTS_RTL_KILLED) $(MUTANTS_RTL_FILES)
