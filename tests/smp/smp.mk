# SPDX-License-Identifier: Apache-2.0
# Self-checking programs of two harts, on the hardware alone and in lockstep with the model,
# and random ones. SMP_ROUNDS is how often each repeats what it does.

SMP := $(B)/smp
SMP_ROUNDS := 2000
SMP_SEEDS := 1 2 3
SMP_TESTS := $(filter-out start random,$(patsubst tests/smp/%.S,%,$(sort $(wildcard tests/smp/*.S))))
SMP_ELFS := $(SMP_TESTS:%=$(SMP)/%.elf)
SMP_RANDOM := $(SMP_SEEDS:%=$(SMP)/random-%.elf)

$(SMP)/rounds: FORCE
	@mkdir -p $(@D); echo '$(SMP_ROUNDS)' | cmp -s - $@ || echo '$(SMP_ROUNDS)' > $@
smp_link = $(ISA_CC) $(ISA_CFLAGS) -Itests/smp -DROUNDS=$(SMP_ROUNDS) $(1) $(ISA_LDFLAGS) -o $@ $(filter %.S,$^)
$(SMP_ELFS): $(SMP)/%.elf: tests/smp/start.S tests/smp/%.S tests/smp/smp.h sim/soc.h tests/isa/link.ld $(SMP)/rounds
	$(call say,RVAS,$@)
	$(Q)$(call smp_link)
$(SMP_RANDOM): $(SMP)/random-%.elf: tests/smp/start.S tests/smp/random.S tests/smp/smp.h sim/soc.h tests/isa/link.ld \
		$(SMP)/rounds
	$(call say,RVAS,$@)
	$(Q)$(call smp_link,-DSEED=$*)

.PHONY: test-smp
test-smp: $(SMP_ELFS) $(SMP_RANDOM) $(B)/bin/soc-sim $(B)/bin/soc-model ## Programs of two harts: litmus tests, atomics, interrupts, random accesses
	$(Q)for options in '' '--lockstep' '--lockstep --no-skip' '--trace /dev/null' \
		'--lockstep --l2-latency 1 --dram-latency 1'; do \
		ISA_TIMEOUT=$(SMP_TIMEOUT) tests/isa/run.sh "$(B)/bin/soc-sim --harts 2 $$options" $(SMP_ELFS) $(SMP_RANDOM) || exit 1; done
	$(Q)ISA_TIMEOUT=$(SMP_TIMEOUT) tests/isa/run.sh '$(B)/bin/soc-model --harts 2' $(SMP_ELFS) $(SMP_RANDOM)
SMP_TIMEOUT := 100
