# SPDX-License-Identifier: Apache-2.0
# The comparison of core and model: a library for soc-sim.

LOCKSTEP_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(sort $(wildcard sim/lockstep/*.c)))
OBJS += $(LOCKSTEP_OBJS)

$(B)/liblockstep.a: $(LOCKSTEP_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# In its unit tests a second model acts as the core and runs the self-checking programs.
LOCKSTEP_TESTS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/lockstep-*.c))
LOCKSTEP_ELFS := $(filter-out build/isa/lib.elf,\
	$(patsubst tests/isa/%.S,build/isa/%.elf,$(wildcard tests/isa/*.S)))
$(LOCKSTEP_TESTS): $(B)/liblockstep.a $(B)/libsocmodel.a | $(LOCKSTEP_ELFS)
