# SPDX-License-Identifier: Apache-2.0
# Kernels that switch as operating systems do, compared at every instruction; part of
# `make truth`.

TRUTH_KERNELS := tests/truth/kernels
KERNEL_B := $(B)/truth/kernels
KERNEL_O := $(TARGET_B)/obj/truth-kernels
KERNEL_ELF := $(TARGET_B)/kernels

# A kernel consists of SOURCES_NAME, compiled with FLAGS_NAME, and runs with RUN_NAME;
# OPTIONS_NAME are those of the comparison.
KERNEL_COMMON := core.c jobs.c
KERNELS := freertos freertos_float freertos_split freertos_main nuttx threadx rtthread rtthread_own rtthread64 zephyr nuttx_smp zephyr_smp rtthread_smp xv6 xv6_pmp xv6_sv39
SOURCES_freertos := start.S freertos.S port_freertos.c machine.c $(KERNEL_COMMON)
SOURCES_freertos_float := $(SOURCES_freertos)
FLAGS_freertos_float := -march=rv64gc -DFLOAT
RUN_freertos_float := --isa rv64gc
SOURCES_freertos_split := $(SOURCES_freertos)
FLAGS_freertos_split := -DSPLIT
SOURCES_freertos_main := $(SOURCES_freertos)
FLAGS_freertos_main := -DON_MAIN_STACK
SOURCES_nuttx := start.S nuttx.S port_nuttx.c machine.c $(KERNEL_COMMON)
FLAGS_nuttx := -DSHELL
SOURCES_threadx := threadx.S port_threadx.c machine.c $(KERNEL_COMMON)
FLAGS_threadx := -DSHELL
SOURCES_rtthread := start.S rtthread.S port_rtthread.c machine.c $(KERNEL_COMMON)
SOURCES_rtthread_own := $(SOURCES_rtthread)
FLAGS_rtthread_own := -DON_TASK_STACK
SOURCES_rtthread64 := supervisor.S rtthread64.S port_rtthread64.c machine_s.c $(KERNEL_COMMON)
SOURCES_zephyr := start.S zephyr.S port_zephyr.c machine.c $(KERNEL_COMMON)
FLAGS_zephyr := -DSHELL
SOURCES_xv6 := supervisor.S xv6.S port_xv6.c kernel_tasks.c machine_s.c $(KERNEL_COMMON)
FLAGS_xv6 := -DHARTS=2
RUN_xv6 := --harts 2
SOURCES_xv6_pmp := supervisor.S xv6.S port_xv6.c user_tasks.c user.c machine_s.c $(KERNEL_COMMON)
FLAGS_xv6_pmp := $(FLAGS_xv6) -DUSER
RUN_xv6_pmp := --harts 2
SOURCES_xv6_sv39 := $(SOURCES_xv6_pmp) spaces.c
FLAGS_xv6_sv39 := $(FLAGS_xv6_pmp) -DSV39
RUN_xv6_sv39 := --harts 2
OPTIONS_freertos := --traps 1
OPTIONS_freertos_float := --float 1 --traps 1
OPTIONS_freertos_split := --traps 1
OPTIONS_freertos_main := --traps 1
OPTIONS_nuttx := --traps 1
OPTIONS_threadx := --traps 2
OPTIONS_rtthread := --traps 1
OPTIONS_rtthread_own := --traps 1
OPTIONS_rtthread64 := --traps 1
OPTIONS_zephyr := --traps 2
OPTIONS_xv6 := --harts 2 --traps 1
OPTIONS_xv6_sv39 := --harts 2 --traps 2
OPTIONS_xv6_pmp := --harts 2 --traps 2
# The same on two harts.
$(foreach k,nuttx zephyr rtthread,$(eval SOURCES_$(k)_smp := $(SOURCES_$(k))) $(eval FLAGS_$(k)_smp := $(FLAGS_$(k)) -DHARTS=2) \
	$(eval RUN_$(k)_smp := --harts 2))
OPTIONS_nuttx_smp := --harts 2 --traps 1
OPTIONS_zephyr_smp := --harts 2 --traps 2
OPTIONS_rtthread_smp := --harts 2 --traps 1
KERNELS += tock
SOURCES_tock := start.S tock.S port_tock.c user.c machine.c $(KERNEL_COMMON)
FLAGS_tock := -DUSER
OPTIONS_tock := --traps 1
# The same, with signals, which tasks handle before they continue.
KERNELS += nuttx_signals
SOURCES_nuttx_signals := $(SOURCES_nuttx)
FLAGS_nuttx_signals := $(FLAGS_nuttx) -DSIGNALS
OPTIONS_nuttx_signals := $(OPTIONS_nuttx) --unknown 1
# The same, with traps on the task's stack, or tasks that give up the hart by ecall.
KERNELS += nuttx_own zephyr_ecall
SOURCES_nuttx_own := $(SOURCES_nuttx)
FLAGS_nuttx_own := $(FLAGS_nuttx) -DON_TASK_STACK
OPTIONS_nuttx_own := $(OPTIONS_nuttx)
SOURCES_zephyr_ecall := $(SOURCES_zephyr)
FLAGS_zephyr_ecall := $(FLAGS_zephyr) -DBY_ECALL
OPTIONS_zephyr_ecall := $(OPTIONS_zephyr)
# The same, with tasks in U-mode.
KERNELS += nuttx_user
SOURCES_nuttx_user := $(SOURCES_nuttx) user.c
FLAGS_nuttx_user := -DUSER
OPTIONS_nuttx_user := --traps 2
# The same, with a first function that all tasks have in common, or without.
SHELL_TOO := freertos rtthread
DIRECT_TOO := nuttx threadx zephyr
$(foreach k,$(SHELL_TOO:%=%_shell) $(DIRECT_TOO:%=%_direct),$(eval SOURCES_$(k) := $(SOURCES_$(firstword $(subst _, ,$(k))))) \
	$(eval OPTIONS_$(k) := $(OPTIONS_$(firstword $(subst _, ,$(k))))))
$(foreach k,$(SHELL_TOO),$(eval FLAGS_$(k)_shell := -DSHELL))
KERNELS += $(SHELL_TOO:%=%_shell) $(DIRECT_TOO:%=%_direct)
# The same, but no stack is used again.
CALM := freertos freertos_float rtthread rtthread_own rtthread64 zephyr rtthread_smp zephyr_smp xv6
$(foreach k,$(CALM),$(eval SOURCES_$(k)_calm := $(SOURCES_$(k))) $(eval FLAGS_$(k)_calm := $(FLAGS_$(k)) -DCALM) \
	$(eval RUN_$(k)_calm := $(RUN_$(k))) $(eval OPTIONS_$(k)_calm := $(OPTIONS_$(k))))
KERNELS += $(CALM:%=%_calm)

# The same, of a core that does not know where interrupts came which follow a transfer to a register.
BLIND := freertos threadx nuttx rtthread
$(foreach k,$(BLIND),$(eval SOURCES_$(k)_blind := $(SOURCES_$(k))) $(eval FLAGS_$(k)_blind := $(FLAGS_$(k)) -mno-relax) \
	$(eval OPTIONS_$(k)_blind := $(OPTIONS_$(k))))
KERNELS += $(BLIND:%=%_blind)
RUN_FILTER = $(if $(filter %_blind,$(1)),| $(B)/bin/tr-text - | awk -f $(TRUTH_KERNELS)/blind.awk | $(B)/bin/tr-text --encode -)

# Traces that begin when all tasks have begun, of which only the tasks are compared.
KERNELS_MIDDLE := $(patsubst %,%-middle,freertos nuttx threadx rtthread zephyr)

TRUTH_KERNELS_OBJS := $(patsubst %,$(B)/obj/tests/truth/%.o,cfi cfi_row code follow hand machine names score walk \
	bare/unwound kernels/kernels kernels/places)
OBJS += $(TRUTH_KERNELS_OBJS)
$(B)/truth/truth-kernels: LDLIBS += $(RUN_LIBS)
$(B)/truth/truth-kernels: $(TRUTH_KERNELS_OBJS) $(REPLAY_LINKED) $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# $(call kernel,NAME): its objects are separate, because its flags are.
define kernel
$(KERNEL_O)/$(1)/%.o: $(TRUTH_KERNELS)/programs/%.c $(TARGET_B)/flags $(TRUTH_KERNELS)/../kernels.mk
	$$(call say,CC,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) $(FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(KERNEL_O)/$(1)/%.o: $(TRUTH_KERNELS)/programs/%.S $(TARGET_B)/flags $(TRUTH_KERNELS)/../kernels.mk
	$$(call say,AS,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(KERNEL_O)/$(1)/work.o: $(BARE)/programs/work.c $(TARGET_B)/flags
	$$(call say,CC,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) -MMD -MP -c -o $$@ $$<
$(KERNEL_ELF)/$(1).elf: $(patsubst %,$(KERNEL_O)/$(1)/%.o,$(basename $(SOURCES_$(1))) work) \
		$(BARE)/programs/bare.ld
	$$(call say,LD,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $$(filter %.ld,$$^) -o $$@ $$(filter %.o,$$^)
endef
$(foreach k,$(KERNELS),$(eval $(call kernel,$(k))))
-include $(wildcard $(KERNEL_O)/*/*.d)

$(KERNELS:%=$(KERNEL_B)/%.lst): $(KERNEL_B)/%.lst: $(KERNEL_ELF)/%.elf
	$(Q)mkdir -p $(@D)
	$(Q)echo '$(abspath $<)' > $@

$(KERNELS:%=$(KERNEL_B)/%.tr): $(KERNEL_B)/%.tr: $(KERNEL_ELF)/%.elf $(KERNEL_B)/%.lst \
		$(addprefix $(B)/bin/,soc-model tr-text tr-match tr-unwind) $(TRUTH_KERNELS)/blind.awk
	$(call say,TRACE,$@)
	$(Q)$(B)/bin/soc-model $(RUN_$*) --max-instructions 20M --trace - $< </dev/null $(call RUN_FILTER,$*) \
		| $(B)/bin/tr-match --bins $(KERNEL_B)/$*.lst | $(B)/bin/tr-unwind -o $@

kernel_tasks = --tasks $(if $(filter %_calm,$(1)),7,40)
$(KERNELS_MIDDLE:%=$(KERNEL_B)/%.tr): $(KERNEL_B)/%-middle.tr: $(KERNEL_ELF)/%.elf $(KERNEL_B)/%.lst \
		$(addprefix $(B)/bin/,soc-model tr-match tr-unwind)
	$(call say,TRACE,$@)
	$(Q)$(B)/bin/soc-model --start cycle=200k --max-instructions 20M --trace - $< </dev/null \
		| $(B)/bin/tr-match --bins $(KERNEL_B)/$*.lst | $(B)/bin/tr-unwind -o $@

# The same stacks from a source that does not tell traps
KERNELS_UNREPORTED := freertos nuttx threadx rtthread
.PHONY: $(KERNELS_UNREPORTED:%=truth-kernels-%-unreported)
truth-kernels: $(KERNELS_UNREPORTED:%=truth-kernels-%-unreported)
$(KERNELS_UNREPORTED:%=truth-kernels-%-unreported): truth-kernels-%-unreported: $(KERNEL_ELF)/%.elf $(KERNEL_B)/%.lst \
		$(addprefix $(B)/bin/,soc-model tr-text tr-match tr-unwind tr-fold)
	$(Q)$(TRUTH_KERNELS)/unreported.sh $(B)/bin $(KERNEL_ELF)/$*.elf $(KERNEL_B)/$*.lst

# Frames that are omitted now and then, and wrong tasks, must be detected.
.PHONY: truth-kernels $(KERNELS:%=truth-kernels-%) $(KERNELS_MIDDLE:%=truth-kernels-%)
ifeq ($(CORE),inorder)
truth: truth-kernels
endif
truth-kernels: $(KERNELS:%=truth-kernels-%) $(KERNELS_MIDDLE:%=truth-kernels-%)
$(KERNELS:%=truth-kernels-%): truth-kernels-%: $(B)/truth/truth-kernels $(KERNEL_B)/%.tr
	$(Q)$< $(OPTIONS_$*) $(call kernel_tasks,$*) $(KERNEL_B)/$*.lst $(KERNEL_B)/$*.tr $(KERNEL_ELF)/$*.elf
	$(Q)for what in frames tasks; do status=0; \
		$< --break $$what $(OPTIONS_$*) $(KERNEL_B)/$*.lst $(KERNEL_B)/$*.tr $(KERNEL_ELF)/$*.elf \
			>$(KERNEL_B)/$*-broken.txt 2>&1 || status=$$?; \
		[ $$status = 1 ] || { echo "truth: did not see broken $$what"; exit 1; }; \
	done
$(KERNELS_MIDDLE:%=truth-kernels-%): truth-kernels-%-middle: $(B)/truth/truth-kernels $(KERNEL_B)/%-middle.tr
	$(Q)$< --middle 1 $(OPTIONS_$*) --tasks 40 $(KERNEL_B)/$*.lst $(KERNEL_B)/$*-middle.tr $(KERNEL_ELF)/$*.elf

# The same of runs of the hardware, with one hart, whose traces the model follows.
KERNELS_FOLLOWED := $(foreach k,$(filter-out %_blind,$(KERNELS)),$(if $(findstring --harts,$(RUN_$(k))),,$(k)))
$(KERNELS_FOLLOWED:%=$(KERNEL_B)/%-run.tr): $(KERNEL_B)/%-run.tr: $(KERNEL_ELF)/%.elf $(B)/bin/soc-sim
	$(call say,RUN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/soc-sim $(RUN_$*) --max-instructions 20M --trace $@ $< </dev/null
$(KERNELS_FOLLOWED:%=$(KERNEL_B)/%-hardware.tr): $(KERNEL_B)/%-hardware.tr: $(KERNEL_B)/%-run.tr $(KERNEL_B)/%.lst \
		$(addprefix $(B)/bin/,tr-text tr-match tr-unwind) $(TRUTH_KERNELS)/one-cycle.awk
	$(call say,STACKS,$@)
	$(Q)$(B)/bin/tr-text $< | awk -f $(TRUTH_KERNELS)/one-cycle.awk | $(B)/bin/tr-text --encode | \
		$(B)/bin/tr-match --bins $(KERNEL_B)/$*.lst | $(B)/bin/tr-unwind -o $@
.PHONY: truth-kernels-hardware $(KERNELS_FOLLOWED:%=truth-kernels-%-hardware)
truth-kernels-hardware: $(KERNELS_FOLLOWED:%=truth-kernels-%-hardware)
ifeq ($(CORE),ooo)
truth: truth-kernels-hardware
endif
$(KERNELS_FOLLOWED:%=truth-kernels-%-hardware): truth-kernels-%-hardware: $(B)/truth/truth-kernels $(KERNEL_B)/%-hardware.tr
	$(Q)$< --follow $(KERNEL_B)/$*-run.tr $(OPTIONS_$*) $(call kernel_tasks,$*) $(KERNEL_B)/$*.lst $(KERNEL_B)/$*-hardware.tr $(KERNEL_ELF)/$*.elf
