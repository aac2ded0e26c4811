# SPDX-License-Identifier: Apache-2.0
# Random programs: the same seed gives the same program. `make test` runs some millions of
# instructions in lockstep, `make soak-random` hundreds of millions.

RANDOM_DIR := build/random
RANDOM_SRC := $(sort $(wildcard tests/random/*.c))
RANDOM_OBJS := $(RANDOM_SRC:%.c=$(B)/obj/%.o)
OBJS += $(RANDOM_OBJS)
$(foreach f,$(RANDOM_SRC),$(eval CFLAGS_$(f) := -Isim/model))

# Each program links all objects except the other's main; the coverage is of random-check.
RANDOM_MAIN := $(B)/obj/tests/random/random-
RANDOM_COVERAGE := $(wildcard tests/random/coverage*.c)
$(B)/random/random-program: $(filter-out $(RANDOM_MAIN)check.o $(RANDOM_COVERAGE:%.c=$(B)/obj/%.o),$(RANDOM_OBJS))
$(B)/random/random-check: $(filter-out $(RANDOM_MAIN)program.o,$(RANDOM_OBJS)) $(B)/libsocmodel.a
$(B)/random/random-program $(B)/random/random-check: $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Tests that run at the same time have their programs in folders of their own.
test-random test-random-model test-assert test-no-float test-replay test-ooo-random soak-ooo soak-random: export RANDOM_WORK = $(RANDOM_DIR)/$@
.PHONY: test-random-model
test-random-model: $(B)/random/random-program $(B)/bin/soc-model ## Random programs on the model
	$(Q)RANDOM_PROGRAM=$(B)/random/random-program tests/random/run.sh '$(B)/bin/soc-model' 1 10 200000

# First seed, number of programs, instructions per program.
RANDOM_RUN = RANDOM_PROGRAM=$(B)/random/random-program tests/random/run.sh '$(B)/bin/soc-sim --lockstep'
# The same with floating point.
RANDOM_FLOAT = RANDOM_MIX=float RANDOM_SEEDS=/dev/null RANDOM_PROGRAM=$(B)/random/random-program \
	tests/random/run.sh '$(B)/bin/soc-sim --isa rv64gc --lockstep'
.PHONY: test-random soak-random
test-random: $(B)/random/random-program $(B)/bin/soc-sim ## Random programs on the hardware, in lockstep with the model
	$(Q)$(RANDOM_RUN) 1 20 200000
	$(Q)$(RANDOM_FLOAT) 1 10 100000
soak-random: $(B)/random/random-program $(B)/bin/soc-sim random-coverage ## 250 M random instructions in lockstep, half with floating point
	$(Q)$(RANDOM_FLOAT) 1 250 500000
	$(Q)$(RANDOM_RUN) 1 250 500000

# Programs with and without the theme of floating point, on the model: coverage.txt has the
# number of times that each event occurred of which random-check knows.
RANDOM_COVERED := $(RANDOM_DIR)/covered
.PHONY: random-coverage
random-coverage: $(B)/random/random-program $(B)/random/random-check ## Count what random programs do; fail if something never occurs
	$(Q)mkdir -p $(RANDOM_COVERED)
	$(Q)for seed in {1..60}; do \
		$(B)/random/random-program --seed $$seed --instructions 300000 -o $(RANDOM_COVERED)/$$seed.elf; \
		$(B)/random/random-program --seed $$seed --instructions 300000 --mix float \
			-o $(RANDOM_COVERED)/float-$$seed.elf; done
	$(Q)$(B)/random/random-check --float --coverage $(RANDOM_COVERED)/*.elf > $(B)/random/coverage.txt || \
		{ grep missing $(B)/random/coverage.txt; exit 1; }
	$(Q)echo "random: $$(grep -c '	' $(B)/random/coverage.txt) kinds of events occurred, in $(B)/random/coverage.txt"

# Builds of the hardware for one hart, which run for seconds. They share build/rtl and, where those
# have no sanitizers, the libraries and what does not depend on the hardware.
RANDOM_SHARED := $(if $(SAN),,$(SIM_ANY_HARDWARE) $(SIM_LIBS))
# $(call random_hardware,FOLDER,VARIABLES)
define random_hardware
ifneq ($(B),$(1))
$(1)/bin/soc-sim: FORCE | $(RTL_MAP) $(RTL_CLASSES) $(RTL_CONSTANTS) $(RANDOM_SHARED)
	$(Q)$$(MAKE) --no-print-directory SAN= B=$(1) SIM_GEN=$(1)/verilated $(2) $(if $(RANDOM_SHARED),SIM_FROM=$(B)) ONE_HART=1 PGO=no CXXFLAGS_hot=-O1 $$@
endif
endef

# The hardware without F and D, which is RV64IMAC, and with other sizes of caches and predictor.
NO_FLOAT_B := build/no-float$(CORE_SUFFIX)
$(eval $(call random_hardware,$(NO_FLOAT_B),FLOAT=0 SIZES='$(RTL_OTHER_SIZES)'))
.PHONY: test-no-float
test-no-float: $(ISA_ELFS) $(B)/random/random-program $(NO_FLOAT_B)/bin/soc-sim ## Programs on the hardware without F and D, with other sizes
	$(Q)tests/isa/run.sh '$(NO_FLOAT_B)/bin/soc-sim --lockstep' $(ISA_ELFS)
	$(Q)RANDOM_PROGRAM=$(B)/random/random-program tests/random/run.sh '$(NO_FLOAT_B)/bin/soc-sim --lockstep' 1 5 200000
	$(Q)! $(NO_FLOAT_B)/bin/soc-sim --isa rv64gc $(firstword $(ISA_ELFS)) 2> $(NO_FLOAT_B)/refused
	$(Q)grep -q 'built without F and D' $(NO_FLOAT_B)/refused

# The same hardware with its assertions (rtl/sim/assert.svh).
ASSERT_B := build/assert$(CORE_SUFFIX)
$(eval $(call random_hardware,$(ASSERT_B),ASSERT=1))
.PHONY: test-assert
test-assert: $(ISA_ELFS) $(ISA_FLOAT) $(B)/random/random-program build/nic/loop.elf build/nic/stress.elf $(ASSERT_B)/bin/soc-sim ## Directed and random programs on the hardware with its assertions
	$(Q)tests/isa/run.sh $(ASSERT_B)/bin/soc-sim $(ISA_ELFS)
	$(Q)tests/isa/run.sh '$(ASSERT_B)/bin/soc-sim --isa rv64gc' $(ISA_FLOAT)
	$(Q)RANDOM_PROGRAM=$(B)/random/random-program tests/random/run.sh '$(ASSERT_B)/bin/soc-sim --lockstep' 1 5 200000
	$(Q)RANDOM_MIX=float RANDOM_SEEDS=/dev/null RANDOM_PROGRAM=$(B)/random/random-program \
		tests/random/run.sh '$(ASSERT_B)/bin/soc-sim --isa rv64gc --lockstep' 1 5 100000
	$(Q)ISA_TIMEOUT=300 tests/isa/run.sh '$(ASSERT_B)/bin/soc-sim --nic loopback' $(NIC_TESTS:%=$(NIC_B)/%.elf)

# The out-of-order core with random inputs and its assertions: at its sizes, with small ones, and with
# other numbers of lanes. $(call ooo_random,BUILD,PLAIN,FLOAT,INSTRUCTIONS): so many programs of each kind.
OOO_CHAOS := build/ooo-chaos
OOO_CHAOS_SMALL := L1iSets=32 L1iWays=2 L1dSets=32 L1dWays=2 ItlbSets=16 ItlbWays=2
OOO_CHAOS_BUILDS := full small lanes-1 lanes-2 lanes-3
OOO_CHAOS_full := SIM_COMMITS=4
OOO_CHAOS_small := SIM_COMMITS=4 SIZES='OooWindow=8 OooQueue=2 $(OOO_CHAOS_SMALL)'
OOO_CHAOS_lanes-1 := SIM_COMMITS=1 SIZES='OooWindow=16 OooQueue=4'
OOO_CHAOS_lanes-2 := SIM_COMMITS=2 SIZES='OooWindow=32 OooQueue=8 $(OOO_CHAOS_SMALL)'
OOO_CHAOS_lanes-3 := SIM_COMMITS=3 SIZES='OooWindow=8 OooQueue=4'
$(foreach b,$(OOO_CHAOS_BUILDS),$(eval $(call random_hardware,$(OOO_CHAOS)/$(b),CORE=ooo CHAOS=1 ASSERT=1 COVER=0 $(OOO_CHAOS_$(b)))))
ooo_random = RANDOM_SEEDS=/dev/null RANDOM_PROGRAM=$(B)/random/random-program \
		tests/random/run.sh '$(OOO_CHAOS)/$(1)/bin/soc-sim --lockstep' 1 $(2) $(4) && \
	RANDOM_MIX=float RANDOM_SEEDS=/dev/null RANDOM_PROGRAM=$(B)/random/random-program \
		tests/random/run.sh '$(OOO_CHAOS)/$(1)/bin/soc-sim --isa rv64gc --l2-latency 1 --dram-latency 3 --lockstep' 1 $(3) $(4)
# Directed tests of what a core counts or how long it takes are of the core in order.
OOO_ISA_NOT := $(ISA_INORDER)
OOO_ISA_ELFS = $(filter-out $(OOO_ISA_NOT:%=$(ISA)/%.elf),$(ISA_ELFS))
OOO_ISA_FLOAT = $(filter-out $(OOO_ISA_NOT:%=$(ISA)/%.elf),$(ISA_FLOAT))
.PHONY: test-ooo-random soak-ooo
test-ooo-random: $(OOO_ISA_ELFS) $(OOO_ISA_FLOAT) $(B)/random/random-program $(foreach b,full small,$(OOO_CHAOS)/$(b)/bin/soc-sim) ## Programs on the out-of-order core with random predictions
	$(Q)for b in full small; do \
		tests/isa/run.sh "$(OOO_CHAOS)/$$b/bin/soc-sim --lockstep" $(OOO_ISA_ELFS) && \
		tests/isa/run.sh "$(OOO_CHAOS)/$$b/bin/soc-sim --isa rv64gc --lockstep" $(OOO_ISA_FLOAT) || exit 1; done
	$(Q)$(call ooo_random,full,8,4,60000)
	$(Q)$(call ooo_random,small,8,4,60000)
soak-ooo: $(B)/random/random-program $(OOO_CHAOS_BUILDS:%=$(OOO_CHAOS)/%/bin/soc-sim) ## 125 M instructions on that core, half with floating point
	$(Q)$(foreach b,$(OOO_CHAOS_BUILDS),$(call ooo_random,$(b),25,25,500000) &&) true
