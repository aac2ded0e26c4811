# SPDX-License-Identifier: Apache-2.0
# Traces of the hardware that the model follows without a difference: of self-checking and
# random programs.

REPLAY_B := build/replay
REPLAY_SIM := $(B)/bin/soc-sim
REPLAY := tests/replay/replay.sh $(REPLAY_SIM)
# $(call replay_isa,OPTIONS,PROGRAMS): see tests/isa.
replay_isa = REPLAY_BIN=$(B)/bin ISA_TIMEOUT=300 tests/isa/run.sh '$(REPLAY) $(1) --' $(2)
# $(call replay_random,OPTIONS,FIRST_SEED COUNT INSTRUCTIONS): see tests/random.
replay_random = REPLAY_BIN=$(B)/bin RANDOM_PROGRAM=$(B)/random/random-program tests/random/run.sh '$(REPLAY) $(1) --' $(2)
replay_float = RANDOM_MIX=float RANDOM_SEEDS=/dev/null $(call replay_random,--isa rv64gc,$(1))
REPLAY_NEEDS := $(B)/random/random-program $(B)/bin/soc-sim $(B)/bin/tr-replay

# Programs that execute code which memory no longer has, of one hart and of two.
REPLAY_OLD := $(REPLAY_B)/old-code.elf $(REPLAY_B)/old-code-harts.elf
$(REPLAY_B)/old-code.elf: $(ISA)/lib.o tests/replay/old-code.S $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $(filter %.o %.S,$^)
$(REPLAY_B)/old-code-harts.elf: tests/smp/start.S tests/replay/old-code-harts.S tests/smp/smp.h sim/soc.h tests/isa/link.ld
	$(call say,RVAS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(call smp_link)

.PHONY: test-replay
test-replay: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(NIC_B)/loop.elf $(REPLAY_OLD) $(REPLAY_NEEDS) $(B)/bin/tr-text ## Self-checking and random programs on the hardware; the model follows their traces
	$(Q)$(call replay_isa,,$(ISA_ELFS))
	$(Q)$(call replay_isa,--isa rv64gc,$(ISA_FLOAT))
	$(Q)$(call replay_isa,--copy-unit,$(ISA_COPY))
	$(Q)$(call replay_isa,--nic loopback,$(NIC_B)/loop.elf)
	$(Q)tests/replay/old-code.sh $(B)/bin $(REPLAY_OLD)
	$(Q)$(call replay_isa,--lockstep,$(REPLAY_B)/old-code.elf)
	$(Q)$(call replay_random,,1 8 200000)
	$(Q)$(call replay_float,1 4 200000)
