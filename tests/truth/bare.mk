# SPDX-License-Identifier: Apache-2.0
# Bare-metal programs that switch stacks in many ways, compared at every instruction; part
# of `make truth`.

BARE := tests/truth/bare
BARE_B := $(B)/truth/bare
BARE_O := $(TARGET_B)/obj/truth
BARE_ELF := $(TARGET_B)/truth

BARE_PROGRAMS :=
# A program consists of SOURCES_NAME, compiled with FLAGS_NAME.
BARE_TASKS := tasks.c work.c
SOURCES_tasks_isr := isr.S port_frames.c $(BARE_TASKS)
SOURCES_tasks_own := own.S port_frames.c $(BARE_TASKS)
SOURCES_tasks_call := call.S port_call.c $(BARE_TASKS)
SOURCES_tasks_switch := switch.S port_switch.c $(BARE_TASKS)
FLAGS_tasks_own := -DNESTED
FLAGS_tasks_call := -DCOOPERATIVE
OPTIONS_tasks_isr := --tasks 8 --traps 1
OPTIONS_tasks_own := --tasks 8 --traps 2
OPTIONS_tasks_call := --tasks 8
OPTIONS_tasks_switch := --tasks 8 --traps 2

BARE_PROGRAMS += contexts jumps runtimes
SOURCES_contexts := contexts.c switches.S interrupts.S work.c
SOURCES_jumps := jumps.c switches.S interrupts.S work.c
SOURCES_runtimes := runtimes.c switches.S interrupts.S work.c
OPTIONS_contexts := --tasks 6 --traps 1
OPTIONS_jumps := --traps 1
OPTIONS_runtimes := --tasks 2 --traps 1

BARE_PROGRAMS += fibers
SOURCES_fibers := fibers.c fiber_calls.S interrupts.S work.c
OPTIONS_fibers := --traps 1

# The compiler's unwinder, whose frame information is in .eh_frame, for all.
BARE_PROGRAMS += throws
SOURCES_throws := throws.cc exceptions.c interrupts.S work.c
FLAGS_throws := -fexceptions -fno-builtin -fno-tree-loop-distribute-patterns
OPTIONS_throws := --traps 1
BARE_CXX := riscv64-unknown-elf-g++
BARE_CXXFLAGS := -std=gnu++17 -Wall -Wextra

# Weak functions that others replace, and that run under other names.
BARE_PROGRAMS += replaced
SOURCES_replaced := replaced.c replaced_weak.c

BARE_BOTH := tasks_isr tasks_own tasks_call tasks_switch
# The same with a separate tp for each task.
$(foreach p,$(BARE_BOTH),$(eval SOURCES_$(p)_tp := $(SOURCES_$(p))) \
	$(eval OPTIONS_$(p)_tp := $(OPTIONS_$(p))) $(eval FLAGS_$(p)_tp := $(FLAGS_$(p)) -DTASK_TP))
BARE_PROGRAMS += $(BARE_BOTH) $(BARE_BOTH:%=%_tp)

# Programs that tr-unwind does not follow yet.
# A call on the first stack, from a fiber, loses the callers on the fiber.
BARE_FAILING := fibers

BARE_FOLLOWED := $(filter-out $(BARE_FAILING),$(BARE_PROGRAMS))

# Partially traced runs: NAME-WINDOW, with WINDOW_PROGRAM for soc-model.
BARE_WINDOWS := tasks_isr-middle tasks_own-middle tasks_call-middle contexts-middle jumps-middle \
	tasks_isr-gaps tasks_own-gaps tasks_call-gaps jumps-gaps
# Windows open at a function that is called when the frames below it are those of the
# previous call: the trace has no sign of those that have changed.
middle_tasks_isr := --start cycle=60k
middle_tasks_own := --start cycle=60k
middle_tasks_call := --start cycle=50k
middle_contexts := --start cycle=20k
middle_jumps := --start cycle=50k
gaps_tasks_isr := --start pc=work_mixed --stop pc=task_choose
gaps_tasks_own := --start pc=work_mixed --stop pc=task_choose
gaps_tasks_call := --start pc=work_mixed --stop pc=task_choose
gaps_jumps := --start pc=jump_over --stop pc=work_mixed

TRUTH_BARE_OBJS := $(patsubst %,$(B)/obj/tests/truth/%.o,cfi cfi_row code follow hand machine names score walk \
	bare/bare bare/system bare/unwound)
OBJS += $(TRUTH_BARE_OBJS)
$(B)/truth/truth-bare: LDLIBS += $(RUN_LIBS)
$(B)/truth/truth-bare: $(TRUTH_BARE_OBJS) $(REPLAY_LINKED) $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# $(call bare_program,NAME): its objects are separate, because its flags are.
define bare_program
$(BARE_O)/$(1)/%.o: $(BARE)/programs/%.c $(TARGET_B)/flags $(BARE)/../bare.mk
	$$(call say,CC,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $$(TARGET_FLAGS) $(TARGET_CFLAGS) -Isim $(FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(BARE_O)/$(1)/%.o: $(BARE)/programs/%.cc $(TARGET_B)/flags $(BARE)/../bare.mk
	$$(call say,CXX,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(BARE_CXX) $$(TARGET_FLAGS) $(BARE_CXXFLAGS) -Isim $(FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(BARE_O)/$(1)/%.o: $(BARE)/programs/%.S $(TARGET_B)/flags $(BARE)/../bare.mk
	$$(call say,AS,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $$(TARGET_FLAGS) $(FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(BARE_ELF)/$(1).elf: $(patsubst %,$(BARE_O)/$(1)/%.o,$(basename $(SOURCES_$(1)))) $(BENCH_O)/bare.o \
		$(BARE)/programs/bare.ld
	$$(call say,LD,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $$(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $$(filter %.ld,$$^) -o $$@ $$(filter %.o,$$^)
endef
$(foreach p,$(BARE_PROGRAMS),$(eval $(call bare_program,$(p))))
-include $(wildcard $(BARE_O)/*/*.d)

$(BARE_PROGRAMS:%=$(BARE_B)/%.lst): $(BARE_B)/%.lst: $(BARE_ELF)/%.elf
	$(Q)mkdir -p $(@D)
	$(Q)echo '$(abspath $<) firmware' > $@

$(BARE_PROGRAMS:%=$(BARE_B)/%.tr): $(BARE_B)/%.tr: $(BARE_ELF)/%.elf $(BARE_B)/%.lst \
		$(addprefix $(B)/bin/,soc-model tr-match tr-unwind)
	$(call say,TRACE,$@)
	$(Q)$(B)/bin/soc-model --max-instructions 5M --trace - $< </dev/null \
		| $(B)/bin/tr-match --bins $(BARE_B)/$*.lst | $(B)/bin/tr-unwind -o $@

# The second run omits a frame now and then, which must be detected.
# Gaps tell the number of omitted instructions.
BARE_WINDOWS_AWK := /^token/ { n++ } \
	/^gap/ { if (n) print at + 0, n; at += n; n = 0; if (match($$0, /tokens=[0-9]+/)) at += substr($$0, RSTART + 7, RLENGTH - 7) } \
	END { if (n) print at + 0, n }
# First instruction of each window, and its number of instructions.
$(BARE_WINDOWS:%=$(BARE_B)/%.tr): $(BARE_B)/%.tr: $(addprefix $(B)/bin/,soc-model tr-match tr-unwind tr-text) \
		$(BARE)/../bare.mk
$(foreach w,$(BARE_WINDOWS),$(eval $(BARE_B)/$(w).tr: $(addprefix $(BARE_B)/,$(firstword $(subst -, ,$(w))).lst)))
$(BARE_WINDOWS:%=$(BARE_B)/%.tr):
	$(call say,TRACE,$@)
	$(Q)$(B)/bin/soc-model $($(lastword $(subst -, ,$(@F:.tr=)))_$(firstword $(subst -, ,$(@F)))) --trace $@.raw \
		$(BARE_ELF)/$(firstword $(subst -, ,$(@F))).elf </dev/null; \
	$(B)/bin/tr-text --tokens $@.raw | awk '$(BARE_WINDOWS_AWK)' >$(@:.tr=.txt); \
	$(B)/bin/tr-match --bins $(BARE_B)/$(firstword $(subst -, ,$(@F))).lst $@.raw | $(B)/bin/tr-unwind -o $@

.PHONY: truth-bare $(BARE_PROGRAMS:%=truth-bare-%) $(BARE_WINDOWS:%=truth-bare-%)
ifeq ($(CORE),inorder)
truth: truth-bare
endif
truth-bare: $(BARE_FOLLOWED:%=truth-bare-%) $(BARE_WINDOWS:%=truth-bare-%)
$(BARE_PROGRAMS:%=truth-bare-%): truth-bare-%: $(B)/truth/truth-bare $(BARE_B)/%.tr
	$(Q)$< $(OPTIONS_$*) $(BARE_B)/$*.lst $(BARE_B)/$*.tr $(BARE_ELF)/$*.elf
	$(Q)status=0; $< --break $(BARE_B)/$*.lst $(BARE_B)/$*.tr $(BARE_ELF)/$*.elf >$(BARE_B)/$*-broken.txt 2>&1 \
		|| status=$$?; \
	[ $$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }
$(BARE_WINDOWS:%=truth-bare-%): truth-bare-%: $(B)/truth/truth-bare $(BARE_B)/%.tr
	$(Q)$< --windows $(BARE_B)/$*.txt $(BARE_B)/$(firstword $(subst -, ,$*)).lst $(BARE_B)/$*.tr \
		$(BARE_ELF)/$(firstword $(subst -, ,$*)).elf

# The same of runs of the hardware, whose traces the model follows.
$(BARE_FOLLOWED:%=$(BARE_B)/%-run.tr): $(BARE_B)/%-run.tr: $(BARE_ELF)/%.elf $(B)/bin/soc-sim
	$(call say,RUN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/soc-sim --max-instructions 5M --trace $@ $< </dev/null
$(BARE_FOLLOWED:%=$(BARE_B)/%-hardware.tr): $(BARE_B)/%-hardware.tr: $(BARE_B)/%-run.tr $(BARE_B)/%.lst \
		$(addprefix $(B)/bin/,tr-match tr-unwind)
	$(call say,STACKS,$@)
	$(Q)$(B)/bin/tr-match --bins $(BARE_B)/$*.lst $< | $(B)/bin/tr-unwind -o $@
.PHONY: truth-bare-hardware $(BARE_FOLLOWED:%=truth-bare-%-hardware)
truth: truth-bare-hardware
truth-bare-hardware: $(BARE_FOLLOWED:%=truth-bare-%-hardware)
$(BARE_FOLLOWED:%=truth-bare-%-hardware): truth-bare-%-hardware: $(B)/truth/truth-bare $(BARE_B)/%-hardware.tr
	$(Q)$< --follow $(BARE_B)/$*-run.tr $(OPTIONS_$*) $(BARE_B)/$*.lst $(BARE_B)/$*-hardware.tr $(BARE_ELF)/$*.elf
