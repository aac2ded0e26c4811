# SPDX-License-Identifier: Apache-2.0
# `make truth-cores`: the same instructions fold to the same stacks on both cores, for all programs of
# one hart whose path does not depend on time: see cores.sh.

CORES_B := $(B)/truth/cores
# $(call cores,STACKS,OPTIONS,PROGRAMS)
cores = tests/truth/cores.sh $(B)/bin $(CORES_B) $(1) '$(2)' $(3)
# Without programs that check the timing of one core; with and without F and D, and copies.
CORES_ISA := $(filter-out $(ISA_INORDER:%=$(ISA)/%.elf) $(ISA_OOO:%=$(ISA)/%.elf),$(ISA_ELFS))
CORES_FLOAT := $(filter-out $(ISA_INORDER:%=$(ISA)/%.elf),$(ISA_FLOAT))
# Without interrupts; with interrupts by a timer, that come elsewhere.
CORES_BARE := tasks_call replaced
CORES_BARE_TIMER := tasks_isr tasks_own tasks_switch contexts jumps runtimes fibers throws
CORES_ELFS := $(CORES_ISA) $(CORES_FLOAT) $(ISA_COPY) $(SLOTS_ELFS) $(patsubst %,$(BARE_ELF)/%.elf,$(CORES_BARE) $(CORES_BARE_TIMER)) \
	$(foreach b,$(BENCHMARKS_USER),$(BENCH_B)/$(b)-image.elf) $(BENCHMARKS_BARE:%=$(BENCH_B)/%.elf)
CORES_TOOLS := $(addprefix $(B)/bin/,soc-sim soc-sim-ooo tr-match tr-unwind tr-fold)

.PHONY: truth-cores truth-linux-cores
truth-cores: $(CORES_ELFS) $(CORES_TOOLS) target ## Compare call stacks of the same programs on both cores
	$(Q)$(call cores,all,,$(CORES_ISA) $(BENCHMARKS_BARE:%=$(BENCH_B)/%.elf) $(CORES_BARE:%=$(BARE_ELF)/%.elf))
	$(Q)$(call cores,all,--isa rv64gc,$(CORES_FLOAT) $(SLOTS_ELFS))
	$(Q)$(call cores,all,--copy-unit,$(ISA_COPY))
	$(Q)$(call cores,untimed,,$(foreach b,$(BENCHMARKS_USER),'$(BENCH_B)/$(b).lst $(FW) $(BENCH_B)/$(b)-image.elf') \
		$(CORES_BARE_TIMER:%=$(BARE_ELF)/%.elf))
	$(Q)$(call cores,user,,'$(BINS) $(FW) $(TARGET_B)/demo.elf')
# Programs of Linux, one after another and at once.
truth-linux-cores: linux $(CORES_TOOLS) ## The same for programs of Linux
	$(Q)$(call cores,user,--ram 64M,'$(LINUX_B)/truth.lst $(TRUTH_LINUX_RUN)')
