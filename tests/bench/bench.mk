# SPDX-License-Identifier: Apache-2.0
# `make bench`: speed and size, each with a reference in the same run.

$(eval $(call program,add-noise,tests/bench/add-noise.c,tests))
$(eval $(call program,long-stacks,tests/bench/long-stacks.c,tests))
$(eval $(call program,paper-loop,tests/bench/paper-loop.c,tests))
$(eval $(call program,peak,tests/bench/peak.c,tests))
$(eval $(call program,thread-work,tests/bench/thread-work.c,tests))

# The same simulator without the trace port.
NO_PORT := build/no-port
.PHONY: bench-no-port
bench-no-port:
	$(Q)$(MAKE) --no-print-directory B=$(NO_PORT) SIM_GEN=$(NO_PORT)/verilated TRACE_PORT=0 $(NO_PORT)/bin/soc-sim

# The same simulator without cover points.
NO_COVER := build/no-cover
.PHONY: bench-no-cover
bench-no-cover:
	$(Q)$(MAKE) --no-print-directory B=$(NO_COVER) SIM_GEN=$(NO_COVER)/verilated COVER=0 $(NO_COVER)/bin/soc-sim

# Builds either one without instructions that valgrind does not support. $(call bench_plain,FOLDER,VARIABLES)
bench_plain = $(MAKE) --no-print-directory B=build/$(1) CXXFLAGS_hot='-O3 -march=x86-64-v3' $(2) build/$(1)/bin/soc-sim
.PHONY: bench-instructions
bench-instructions: target ## Count the host's instructions for a cycle of soc-sim
	$(Q)$(call bench_plain,instructions)
	$(Q)$(call bench_plain,instructions-no-cover,SIM_GEN=build/instructions-no-cover/verilated COVER=0)
	$(Q)$(call bench_plain,instructions-ooo,CORE=ooo SIM_GEN=build/instructions-ooo/verilated)
	$(Q)TSV=build/bench-instructions.tsv tests/bench/bench.sh instructions

.PHONY: bench bench-cores bench-explore bench-linux bench-ooo bench-replay soak soak-linux
bench: all bench-no-port bench-no-cover ## Measure speed and size: build/bench.tsv (bench-NAME: bench-NAME.tsv)
	$(Q)tests/bench/bench.sh
bench-linux: all linux gallery ## Measure Linux on the hardware
	$(Q)TSV=build/bench-linux.tsv tests/bench/bench.sh linux
bench-cores: all linux ## Measure the filters on several cores, on 1.87 G instructions
	$(Q)TSV=build/bench-cores.tsv tests/bench/bench.sh cores
bench-explore: $(B)/bin/soc-model $(FILTERS:%=$(B)/bin/%) linux ## Measure tr-explore on 1 G instructions of Linux
	$(Q)TSV=build/bench-explore.tsv tests/bench/bench.sh explore
bench-ooo: all target soc-sim-ooo ## Measure the out-of-order core
	$(Q)TSV=build/bench-ooo.tsv tests/bench/bench.sh ooo
bench-replay: all linux linux-smp-build build/nic/stress.elf ## Measure replays against the model, and what they add to a trace
	$(Q)TSV=build/bench-replay.tsv tests/bench/bench.sh replay
.PHONY: bench-table
bench-table: ## Write the figures of the benches that have run into tests/README.md
	$(Q)tests/bench/table.sh tests/README.md $(wildcard build/bench.tsv build/bench-*.tsv build/soak.tsv build/soak-*.tsv)
soak: all ## Run five thousand million instructions: memory must not grow; fuzz
	$(Q)tests/bench/soak.sh
	$(Q)$(MAKE) --no-print-directory fuzz FUZZ_S=5
soak-linux: all linux ## Run five thousand million instructions of Linux: memory must not grow
	$(Q)tests/bench/soak.sh linux
