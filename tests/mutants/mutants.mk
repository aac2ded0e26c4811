# SPDX-License-Identifier: Apache-2.0
# `make mutants`: checks that a fast part of the tests notices small changes of the code.

MUTANTS_SEED := 1
MUTANTS_COUNT := 100
MUTANTS_KILLED := 95
MUTANTS_FILES := $(wildcard $(addprefix filters/lib/,match/match*.c stream/*.c unwind/*.c)) \
	$(addprefix filters/,lib/base/buffer.c lib/base/map.c tr-match.c tr-unwind.c)

MUTANTS := $(B)/mutants
MUTATE_OBJS := $(addprefix $(B)/obj/tests/mutants/,mutate.o mutate_sv.o tokens.o tokens_sv.o)
OBJS += $(MUTATE_OBJS)
$(MUTANTS)/mutate: $(MUTATE_OBJS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

# A run of its own, shorter than the demo's.
$(MUTANTS)/scenario.elf: tests/mutants/scenario.script $(TARGET_B)/supervisor.elf
	$(call say,SCRIPT,$@)
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $(@D)/scenario.padded
	$(Q)truncate -s 4096 $(@D)/scenario.padded
	$(Q)$(TARGET_OBJCOPY) --update-section .scenario=$(@D)/scenario.padded $(TARGET_B)/supervisor.elf $@
$(MUTANTS)/run.tr: $(MUTANTS)/scenario.elf $(TARGET_B)/firmware.elf $(B)/bin/soc-model
	$(call say,RUN,$@)
	$(Q)$(B)/bin/soc-model --trace $@ $(TARGET_B)/firmware.elf $< > /dev/null < /dev/null

# What survivors.txt and the chosen changes say must still be found in the sources, whichever
# files a run is told to change. The last command is the test of this: the same with errors.
MUTANTS_SOURCES = $(filter %.c %.sv,$(wildcard $(sort $(shell sed -n 's/^\([a-z][^:]*\): .*/\1/p' tests/mutants/survivors.txt))))
.PHONY: test-mutants
test-mutants: $(MUTANTS)/mutate ## Fail if an explained or a chosen mutant is no longer in the sources
	$(Q)$< every $(MUTANTS_SOURCES) > $(MUTANTS)/every
	$(Q)tests/mutants/entries.sh $(MUTANTS)/every tests/mutants/survivors.txt tests/mutants/*.changes
	$(Q)tests/mutants/entries-wrong.sh $(MUTANTS)/every $(MUTANTS)/wrong

.PHONY: mutants
mutants: test-mutants $(MUTANTS)/mutate $(MUTANTS)/run.tr $(B)/bin/soc-sim $(EMBEDDED) $(PROTO_SOURCES) target ## Test the tests of the C code: few of 100 seeded changes may survive
	$(Q)CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDLIBS='$(LDLIBS)' tests/mutants/run.sh $(MUTANTS) \
		$(TARGET_B)/bins.lst $(MUTANTS_SEED) $(MUTANTS_COUNT) $(MUTANTS_KILLED) $(MUTANTS_FILES)
