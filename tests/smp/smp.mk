# SPDX-License-Identifier: Apache-2.0
# Self-checking programs of two harts, on the hardware alone and in lockstep with the model,
# and random ones. SMP_ROUNDS is how often each repeats what it does; `make soak-smp` repeats
# it a million times, and runs 125 M random instructions in lockstep.

SMP_TESTS_B := $(B)/smp
SMP_ROUNDS := 1200
SMP_SEEDS := 1 2 3
SMP_TESTS := $(filter-out start random copy-%,$(patsubst tests/smp/%.S,%,$(sort $(wildcard tests/smp/*.S))))
SMP_ELFS := $(SMP_TESTS:%=$(SMP_TESTS_B)/%.elf)
SMP_RANDOM := $(SMP_SEEDS:%=$(SMP_TESTS_B)/random-%.elf)
# With the copy unit of each hart: programs of two harts, and those of one hart on each.
SMP_COPY := $(patsubst tests/smp/%.S,$(SMP_TESTS_B)/%.elf,$(sort $(wildcard tests/smp/copy-*.S)))
SMP_COPY_RANDOM := $(SMP_SEEDS:%=$(SMP_TESTS_B)/copy-random-%.elf)
SMP_COPY_ISA := $(foreach h,0 1,$(patsubst tests/isa/%.S,$(SMP_TESTS_B)/isa-%-$(h).elf,$(sort $(wildcard tests/isa/copy-*.S))))

$(SMP_TESTS_B)/rounds: FORCE
	@mkdir -p $(@D); echo '$(SMP_ROUNDS)' | cmp -s - $@ || echo '$(SMP_ROUNDS)' > $@
smp_link = $(ISA_CC) $(ISA_CFLAGS) -Itests/smp -DROUNDS=$(or $(2),$(SMP_ROUNDS)) $(1) $(ISA_LDFLAGS) -o $@ $(filter %.S,$^)
$(SMP_ELFS) $(SMP_COPY): $(SMP_TESTS_B)/%.elf: tests/smp/start.S tests/smp/%.S tests/smp/smp.h sim/soc.h tests/isa/link.ld $(SMP_TESTS_B)/rounds
	$(call say,RVAS,$@)
	$(Q)$(call smp_link)
$(SMP_RANDOM): $(SMP_TESTS_B)/random-%.elf: tests/smp/start.S tests/smp/random.S tests/smp/smp.h sim/soc.h tests/isa/link.ld \
		$(SMP_TESTS_B)/rounds
	$(call say,RVAS,$@)
	$(Q)$(call smp_link,-DSEED=$*)
$(SMP_COPY) $(SMP_COPY_RANDOM): tests/isa/copy.h
$(SMP_COPY_RANDOM): $(SMP_TESTS_B)/copy-random-%.elf: tests/smp/start.S tests/smp/random.S tests/smp/smp.h sim/soc.h tests/isa/link.ld \
		$(SMP_TESTS_B)/rounds
	$(call say,RVAS,$@)
	$(Q)$(call smp_link,-DSEED=$* -DCOPIES)
define smp_copy_isa
$(SMP_TESTS_B)/isa-%-$(1).elf: tests/isa/lib.S tests/isa/%.S $(ISA_TABLES) $(ISA_HEADERS) tests/isa/link.ld
	$$(call say,RVAS,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -DHART=$(1) $(ISA_LDFLAGS) -o $$@ $$(filter %.S,$$^)
endef
$(foreach h,0 1,$(eval $(call smp_copy_isa,$(h))))

# Those whose clocks the model does not have: cycles of two harts that agree.
SMP_HARDWARE := $(SMP_TESTS_B)/asleep.elf

# Without skips, the clocks of sleeping harts run on, and nothing else may change: trace,
# counters and console. $(call smp_record,OPTIONS,SUFFIX)
smp_record = for elf in $(SMP_ELFS) $(SMP_RANDOM); do to=$${elf%.elf}$(2); \
	timeout $(SMP_TIMEOUT) $(B)/bin/soc-sim --harts 2 --no-provenance $(1) --trace $$to.tr --counters all \
		--counters-every 100k --counters-csv $$to.csv $$elf > $$to.txt || exit 1; done

.PHONY: test-smp test-smp-shares test-smp-copy test-smp-asleep
test-smp: test-smp-asleep
test-smp-asleep: $(SMP_ELFS) $(SMP_RANDOM) $(B)/bin/soc-sim $(B)/bin/tr-replay $(B)/bin/tr-text ## Programs of two harts, with and without the clock of a sleeping hart
	$(Q)$(call smp_record,,)
	$(Q)$(call smp_record,--no-skip,-no-skip)
	$(Q)for elf in $(SMP_ELFS) $(SMP_RANDOM); do for f in tr csv txt; do \
		cmp $${elf%.elf}.$$f $${elf%.elf}-no-skip.$$f || exit 1; done; done; \
		echo "smp: the same traces, counters and consoles without skips"
	$(Q)for elf in $(SMP_ELFS) $(SMP_RANDOM); do \
		$(B)/bin/tr-replay -o $${elf%.elf}-replay.txt $${elf%.elf}.tr $$elf || exit 1; done; \
		echo "smp: the model follows all of these traces"
	@# A frame may lack what a later one has of a hart.
	$(Q)for name in ipi litmus-mp; do \
		$(B)/bin/tr-text $(SMP_TESTS_B)/$$name.tr | awk '/^hart 1/ && !n++ { print "frame 1 generation=0" } { print }' | \
			$(B)/bin/tr-text --encode -o $(SMP_TESTS_B)/$$name-late.tr && \
		$(B)/bin/tr-replay -o $(SMP_TESTS_B)/$$name-late.txt $(SMP_TESTS_B)/$$name-late.tr $(SMP_TESTS_B)/$$name.elf || exit 1; done; \
		echo "smp: and traces with a hart in a later frame"
test-smp: test-smp-shares
test-smp-shares: $(B)/bin/soc-sim ## The harts run the same code (sim/verilated/merge.awk)
	$(Q)cat $(SMP_GEN)/*__[0-9].cpp | awk '/^(VL_[A-Z_]+ )?void Vsmp.*gen_harts__BRA__[0-9]+__.*\{$$/ && !/Vdpiexp/ { n[/BRA__0/]++ } \
		END { print "smp: harts share " n[1] + 0 " functions, others have " n[0] + 0 " of their own"; exit !n[1] || n[0] }'
test-smp: $(SMP_ELFS) $(SMP_RANDOM) $(B)/bin/soc-sim $(B)/bin/soc-model ## Programs of two harts: litmus tests, atomics, interrupts, random
	$(Q)for options in '' '--lockstep' '--lockstep --no-skip' '--trace /dev/null' \
		'--lockstep --l2-latency 1 --dram-latency 1'; do \
		ISA_TIMEOUT=$(SMP_TIMEOUT) tests/isa/run.sh "$(B)/bin/soc-sim --harts 2 $$options" $(SMP_ELFS) $(SMP_RANDOM) || exit 1; done
	$(Q)ISA_TIMEOUT=$(SMP_TIMEOUT) tests/isa/run.sh '$(B)/bin/soc-model --harts 2' \
		$(filter-out $(SMP_HARDWARE),$(SMP_ELFS)) $(SMP_RANDOM)
test-smp: test-smp-copy
test-smp-copy: $(SMP_COPY) $(SMP_COPY_RANDOM) $(SMP_COPY_ISA) $(B)/bin/soc-sim $(B)/bin/soc-model ## Programs of two harts with copy units
	$(Q)for options in '' '--lockstep' '--lockstep --no-skip' '--lockstep --l2-latency 1 --dram-latency 1'; do \
		ISA_TIMEOUT=$(SMP_TIMEOUT) tests/isa/run.sh "$(B)/bin/soc-sim --harts 2 --copy-unit $$options" \
			$(SMP_COPY) $(SMP_COPY_RANDOM) $(SMP_COPY_ISA) || exit 1; done
	$(Q)ISA_TIMEOUT=$(SMP_TIMEOUT) tests/isa/run.sh '$(B)/bin/soc-model --harts 2 --copy-unit' \
		$(SMP_COPY) $(SMP_COPY_RANDOM) $(SMP_COPY_ISA)
SMP_TIMEOUT := 100

# A random program does not end by itself; SMP_SOAK_INSTRUCTIONS are those of both harts.
SMP_SOAK := $(SMP_TESTS_B)/soak
SMP_SOAK_SEEDS := 11 12 13 14 15 16 17 18 19 20
SMP_SOAK_INSTRUCTIONS := 12500k
SMP_SOAK_MACHINE := $(B)/bin/soc-sim --harts 2
SMP_SOAK_LITMUS := $(patsubst %,$(SMP_SOAK)/%.elf,$(filter-out asleep code compute,$(SMP_TESTS)))
SMP_SOAK_RANDOM := $(SMP_SOAK_SEEDS:%=$(SMP_SOAK)/random-%.elf)
$(SMP_SOAK_LITMUS): $(SMP_SOAK)/%.elf: tests/smp/start.S tests/smp/%.S tests/smp/smp.h sim/soc.h tests/isa/link.ld
	$(Q)mkdir -p $(@D)
	$(Q)$(call smp_link,,1000000)
# isa.mk and replay.mk, which are read before, cannot name them.
test-checkpoint: $(SMP_ELFS)
soak-replay: $(SMP_SOAK_RANDOM)
$(SMP_SOAK_RANDOM): $(SMP_SOAK)/random-%.elf: tests/smp/start.S tests/smp/random.S tests/smp/smp.h sim/soc.h tests/isa/link.ld
	$(Q)mkdir -p $(@D)
	$(Q)$(call smp_link,-DSEED=$*,1000000000)
# The same with copies among the accesses.
SMP_SOAK_COPIES := $(addprefix $(SMP_SOAK)/copy-random-,21.elf 22.elf)
$(SMP_SOAK_COPIES): $(SMP_SOAK)/copy-random-%.elf: tests/smp/start.S tests/smp/random.S tests/smp/smp.h tests/isa/copy.h \
		sim/soc.h tests/isa/link.ld
	$(Q)mkdir -p $(@D)
	$(Q)$(call smp_link,-DSEED=$* -DCOPIES,1000000000)
.PHONY: soak-smp soak-smp-random soak-smp-litmus
soak-smp: soak-smp-random soak-smp-litmus ## 125 M random instructions of two harts, litmus tests (an hour)
soak-smp-random: $(SMP_SOAK_RANDOM) $(SMP_SOAK_COPIES) $(B)/bin/soc-sim
	$(Q)for elf in $(SMP_SOAK_RANDOM) $(SMP_SOAK_COPIES); do \
		$(SMP_SOAK_MACHINE) --copy-unit --lockstep --max-instructions $(SMP_SOAK_INSTRUCTIONS) $$elf || exit 1; \
		echo "smp: $${elf##*/}: $(SMP_SOAK_INSTRUCTIONS) instructions in lockstep, no difference"; done
soak-smp-litmus: $(SMP_SOAK_LITMUS) $(B)/bin/soc-sim
	$(Q)for elf in $(SMP_SOAK_LITMUS); do $(SMP_SOAK_MACHINE) $$elf || exit 1; \
		echo "smp: $${elf##*/}: a million rounds, no forbidden outcome"; done

# The same computation on each hart of a machine with one and with two. The former on the
# latter: hart 1 sleeps.
SMP_BENCH := $(SMP_TESTS_B)/compute-1.elf $(SMP_TESTS_B)/compute-2.elf
$(SMP_BENCH): $(SMP_TESTS_B)/compute-%.elf: tests/smp/start.S tests/smp/compute.S tests/smp/smp.h sim/soc.h tests/isa/link.ld
	$(Q)mkdir -p $(@D)
	$(Q)$(call smp_link,-DHARTS=$*,100000)
.PHONY: bench-smp
bench-smp: $(SMP_BENCH) $(B)/bin/soc-sim ## Measure the rate of two harts, against that of one
	$(Q)$(call bench_plain,instructions)
	$(Q)TSV=build/bench-smp.tsv tests/bench/bench.sh smp
