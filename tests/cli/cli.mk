# SPDX-License-Identifier: Apache-2.0
# The command-line tests and their expected output. T="NAME ..." on make's command line
# selects some of them.

CLI_TESTS = $(T)
# isa.mk, which has the rule, is read later.
CLI_DISK := $(patsubst tests/%.S,build/%.elf,$(wildcard tests/isa/disk-*.S))

.PHONY: test-cli
test-cli: $(MAN_BUILT) $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/bin/soc-restore $(B)/bin/soc-sim $(SIM_ONE) $(B)/tests/commits $(addprefix $(B)/tests/,make-counts make-log) $(addprefix $(B)/bin/prof-,counts extract log) $(TMA_BARS) target build/nic/loop.elf $(CLI_DISK) build/isa/ebreak.elf ## Run the command-line tests, or those of T="NAME ..."
	$(Q)BIN=$(B)/bin tests/cli/run.sh $(CLI_TESTS)

# Of these the everyday tests take every sixth place.
CLI_STRIDES := tr-capture-from-cut tr-capture-from-damage tr-text-cut-everywhere tr-text-flip-everywhere
.PHONY: test-cli-everywhere
test-cli-everywhere: $(FILTERS:%=$(B)/bin/%) ## Cuts and wrong bytes of test-cli at six times as many places
	$(Q)STRIDE=1 BIN=$(B)/bin tests/cli/run.sh $(CLI_STRIDES)

# Those that need both cores, and those whose programs run on that of CORE.
CLI_CORES := tr-unwind-marks-cores
CLI_EITHER := soc-sim-warm tr-annotate-sums tr-replay-accesses tr-replay-mark-page tr-replay-warm tr-report-memory tr-report-memory-heap tr-report-memory-members \
	tr-report-memory-stacks tr-timeline-activations tr-timeline-switches
.PHONY: test-cli-cores
test-cli-cores: $(B)/bin/soc-sim-ooo ## Tests of the command line on the out-of-order core
	$(Q)$(MAKE) --no-print-directory test-cli T='$(CLI_CORES)'
	$(Q)$(MAKE) --no-print-directory CORE=ooo test-cli T='$(CLI_EITHER)'

.PHONY: golden
golden: $(MAN_BUILT) $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/bin/soc-restore $(B)/bin/soc-sim $(SIM_ONE) $(B)/tests/commits $(addprefix $(B)/tests/,make-counts make-log) $(addprefix $(B)/bin/prof-,counts extract log) $(TMA_BARS) build/nic/loop.elf $(CLI_DISK) build/isa/ebreak.elf ## Rewrite the expected output of T="NAME ..." and show the changes
	$(Q)BIN=$(B)/bin tests/cli/run.sh --update $(CLI_TESTS)
