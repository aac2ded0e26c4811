# SPDX-License-Identifier: Apache-2.0
# `make truth`: tr-unwind's stacks compared with the machine's own registers and memory.

TRUTH_COMMON := $(patsubst %,$(B)/obj/tests/truth/%.o,cfi cfi_row code hand machine names points report score walk)
TRUTH_OBJS := $(TRUTH_COMMON) $(patsubst %,$(B)/obj/tests/truth/%.o,linux/census linux/go linux/layout linux/linux linux/maps linux/rules linux/task \
	supervisor supervisor_rules truth)
TASKS_OBJS := $(patsubst %,$(B)/obj/tests/truth/%.o,linux/identity linux/layout linux/task compare_tasks)
OBJS += $(TRUTH_OBJS) $(TASKS_OBJS)
TRUTH_RUN := $(TARGET_B)/firmware.elf $(TARGET_B)/demo.elf
TRUTH_ARGS := $(TARGET_B)/bins.lst $(B)/truth/stacks.tr $(TRUTH_RUN)

$(B)/truth/%: LDLIBS += $(RUN_LIBS)
$(B)/truth/truth: $(TRUTH_OBJS) $(RUN_BOOT) $(B)/libsocmodel.a $(B)/libtr.a
$(B)/truth/compare-tasks: $(sort $(TRUTH_COMMON) $(TASKS_OBJS)) $(REPLAY_LINKED) $(B)/libtr.a
$(B)/truth/truth $(B)/truth/compare-tasks:
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/truth/stacks.tr: $(addprefix $(B)/bin/,soc-model tr-match tr-unwind) $(TRUTH_RUN) \
		$(TARGET_IMAGES) $(TARGET_B)/bins.lst
	$(call say,TRACE,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/soc-model --trace - $(TRUTH_RUN) </dev/null 2>$(@D)/console.txt \
		| $(B)/bin/tr-match --bins $(TARGET_B)/bins.lst | $(B)/bin/tr-unwind -o $@

# The second run omits a frame now and then, which must be detected.
.PHONY: truth
truth: $(B)/truth/truth $(B)/truth/stacks.tr ## Compare call stacks with the machine's own
	$(Q)$(B)/truth/truth $(TRUTH_ARGS)
	$(Q)status=0; $(B)/truth/truth --break $(TRUTH_ARGS) >$(B)/truth/broken.txt 2>&1 || status=$$?; \
	[ $$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }
