# SPDX-License-Identifier: Apache-2.0
# Programs that lose slots for a known reason, one for each class of the out-of-order core.

SLOTS := $(B)/slots
SLOTS_SIM := $(B)/bin/soc-sim$(if $(filter inorder,$(CORE)),-ooo)
SLOTS_ELFS := $(patsubst tests/slots/%.S,$(SLOTS)/%.elf,$(sort $(wildcard tests/slots/*.S)))
$(SLOTS_ELFS): $(SLOTS)/%.elf: tests/isa/lib.S tests/slots/%.S tests/slots/slots.inc $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -march=rv64gc -mabi=lp64d $(ISA_LDFLAGS) -o $@ $(filter %.S,$^)

.PHONY: test-slots
test-slots: $(SLOTS_ELFS) $(SLOTS_SIM) $(B)/bin/tr-text ## Each class of lost slots has a program that loses its own in it
	$(Q)tests/slots/run.sh '$(SLOTS_SIM) --isa rv64gc' $(B)/bin/tr-text $(SLOTS_ELFS)

# A hart of each core.
SLOTS_MIXED := $(B)/bin/soc-sim$(if $(filter inorder,$(CORE)),-inorder-ooo)
SLOTS_HARTS := $(addprefix $(B)/smp/,compute.elf lock.elf)
.PHONY: test-slots-harts
test-slots-harts: $(SLOTS_HARTS) $(SLOTS_MIXED) $(B)/bin/tr-text ## Slots of harts with different cores add up
	$(Q)tests/slots/harts.sh '$(SLOTS_MIXED) --core inorder$(comma)ooo --harts 2' $(B)/bin/tr-text $(SLOTS_HARTS)
