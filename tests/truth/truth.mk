# SPDX-License-Identifier: Apache-2.0
# `make truth`: tr-unwind's stacks compared with the machine's own registers and memory, of runs of
# the model and of the hardware; with CORE=ooo only of that core, since all else is the same.

TRUTH_COMMON := $(patsubst %,$(B)/obj/tests/truth/%.o,cfi cfi_row code follow hand machine names points report score walk)
TRUTH_OBJS := $(TRUTH_COMMON) $(patsubst %,$(B)/obj/tests/truth/%.o,linux/census linux/go linux/layout linux/linux linux/maps linux/rules linux/task \
	supervisor supervisor_rules truth)
TASKS_OBJS := $(patsubst %,$(B)/obj/tests/truth/%.o,linux/identity linux/layout linux/task compare_tasks)
OBJS += $(TRUTH_OBJS) $(TASKS_OBJS)
TRUTH_RUN := $(TARGET_B)/firmware.elf $(TARGET_B)/demo.elf
TRUTH_ARGS := $(TARGET_B)/bins.lst $(B)/truth/stacks.tr $(TRUTH_RUN)

$(B)/truth/%: LDLIBS += $(RUN_LIBS)
$(B)/truth/truth: $(TRUTH_OBJS) $(REPLAY_LINKED) $(B)/libtr.a
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

# $(call truth_compare,ARGUMENTS,NAME): the second run omits a frame now and then, which must be
# detected.
define truth_compare
$(Q)$(B)/truth/truth $(1)
$(Q)status=0; $(B)/truth/truth --break $(1) >$(B)/truth/$(2)broken.txt 2>&1 || status=$$?; \
	[ $$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }
endef
.PHONY: truth truth-model truth-hardware
truth: truth-hardware ## Compare call stacks with the machine's own (CORE=ooo: runs out of order)
ifeq ($(CORE),inorder)
truth: truth-model
endif
truth-model: $(B)/truth/truth $(B)/truth/stacks.tr
	$(call truth_compare,$(TRUTH_ARGS))

# A run of the hardware, whose trace the model follows, so that the state at each instruction is known.
# $(call truth_hardware,TRACE,STACKS,OPTIONS,BINS,IMAGES,INPUTS)
define truth_hardware
$(1): $(5) $(B)/bin/soc-sim $(B)/bin/tr-capture
	$$(call say,RUN,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$@ -- $(B)/bin/soc-sim $(3) $(5) </dev/null >$$(@:.tr=-console.txt)
$(2): $(1) $(4) $(6) $(B)/bin/tr-match $(B)/bin/tr-unwind
	$$(call say,STACKS,$$@)
	$(Q)$(B)/bin/tr-match --bins $(4) $$< | $(B)/bin/tr-unwind -o $$@
endef
# Sanitizers are slow.
TRUTH_HARDWARE_RUN := $(TARGET_B)/firmware.elf $(TARGET_B)/$(if $(SAN),hello,demo).elf
$(eval $(call truth_hardware,$(B)/truth/hardware.tr,$(B)/truth/hardware-stacks.tr,,$(TARGET_B)/bins.lst,$(TRUTH_HARDWARE_RUN),$(TARGET_IMAGES)))
$(eval $(call truth_hardware,$(TRUTH_LINUX_HARDWARE).tr,$(TRUTH_LINUX_HARDWARE)-stacks.tr,--ram 64M,$(LINUX_B)/truth.lst,$(TRUTH_LINUX_RUN),$(TRUTH_LINUX_BINS:%=$(LINUX_B)/%)))
truth-hardware: $(B)/truth/truth $(B)/truth/hardware-stacks.tr
	$(call truth_compare,--follow $(B)/truth/hardware.tr $(TARGET_B)/bins.lst $(B)/truth/hardware-stacks.tr $(TRUTH_HARDWARE_RUN),hardware-)
