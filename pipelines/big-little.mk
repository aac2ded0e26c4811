# SPDX-License-Identifier: Apache-2.0
# `make big-little`: which core for which work. Programs run under Linux on a machine with a hart
# of each core: pinned to the one in order, pinned to the one out of order, and where the kernel
# places them, alone or all at the same time; and a program moves itself between them. Only the call of benchmark() counts, with
# what the kernel does meanwhile on its behalf. The functional model boots up to the first
# program and writes a checkpoint, from which the hardware goes on. Results are in
# build/big-little/.

BIG_LITTLE_OUT := $(B)/big-little
BIG_LITTLE_SIM := $(B)/bin/soc-sim$(if $(filter inorder,$(CORE)),-inorder-ooo)
BIG_LITTLE_FOCUS := --focus '^benchmark$$'
BIG_LITTLE_MOVED := stay_on_0 stay_on_1 move
BIG_LITTLE_SVGS := $(BIG_LITTLE_PROGRAMS:%=$(BIG_LITTLE_OUT)/%.svg)

.PHONY: big-little
big-little: linux-big-little $(BIG_LITTLE_SIM) $(addprefix $(B)/bin/,soc-model tr-capture tr-match tr-unwind tr-fold tr-report tr-diff)
big-little: ## Programs on a hart of each core, under Linux: cycles, classes, moves
	@$(MAKE) -s --no-print-directory $(BIG_LITTLE_OUT)/big-little.txt $(BIG_LITTLE_SVGS)
	@echo; cat $(BIG_LITTLE_OUT)/big-little.txt; \
	printf '\n%s has the functions of each program, %s the flame graph of the differences\n' \
		'$(BIG_LITTLE_OUT)/NAME.txt' '$(BIG_LITTLE_OUT)/NAME.svg'

$(BIG_LITTLE_OUT)/%.ck: $(TARGET_B)/firmware-smp.elf $(SMP_B)/vmlinux $(BIG_LITTLE_B)/%.dtb $(BIG_LITTLE_B)/all.cpio $(B)/bin/soc-model
	$(call say,BOOT,$*)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/soc-model --harts 2 --ram 64M --dtb $(BIG_LITTLE_B)/$*.dtb --initrd $(BIG_LITTLE_B)/all.cpio \
		--checkpoint $@ --checkpoint-at exec=$(BIG_LITTLE_B)/stripped/$(if $(filter moves-%,$*),moves,start) \
		$(TARGET_B)/firmware-smp.elf $(SMP_B)/vmlinux < /dev/null > $(@:.ck=.boot)
# The programs check their results.
$(BIG_LITTLE_OUT)/%.tr: $(BIG_LITTLE_OUT)/%.ck $(BIG_LITTLE_SIM) $(B)/bin/tr-capture
	$(call say,RUN,$*)
	$(Q)$(B)/bin/tr-capture -o $@ -- $(BIG_LITTLE_SIM) --resume $< < /dev/null | tr -d '\r' > $(@:.tr=.console)
	$(Q)grep -qx done $(@:.tr=.console) || { cat $(@:.tr=.console); exit 1; }
define big_little_stacks
$(call profile_stacks,$(BIG_LITTLE_OUT)/$(1).stacks.tr,$(BIG_LITTLE_OUT)/$(1).tr,$(BIG_LITTLE_B)/$(1).lst,--bins $(BIG_LITTLE_B)/$(1).lst)
endef
BIG_LITTLE_MOVES_RUNS := $(BIG_LITTLE_BYTES:%=moves-%)
$(foreach r,$(BIG_LITTLE_RUNS) all-together $(BIG_LITTLE_MOVES_RUNS),$(eval $(call big_little_stacks,$(r))))

# --- of each run: cycles and instructions, and slots by class, of each function and hart
$(patsubst %,$(BIG_LITTLE_OUT)/%.functions.csv,$(BIG_LITTLE_RUNS) all-together): %.functions.csv: %.stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report functions $(BIG_LITTLE_FOCUS) --by hart --format csv -o $@ $<
$(BIG_LITTLE_RUNS:%=$(BIG_LITTLE_OUT)/%.tma.csv): %.tma.csv: %.stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report tma $(BIG_LITTLE_FOCUS) --by hart --format csv -o $@ $<
# --- of each program: what differs between the cores, as tables and as a picture
$(BIG_LITTLE_PROGRAMS:%=$(BIG_LITTLE_OUT)/%.diff.csv): %.diff.csv: %-inorder.stacks.tr %-ooo.stacks.tr $(B)/bin/tr-diff
	$(call say,DIFF,$*)
	$(Q)$(B)/bin/tr-diff --tma $(BIG_LITTLE_FOCUS) --format csv -o $@ $(filter %.tr,$^) || [ $$? = 1 ]
	$(Q)$(B)/bin/tr-diff --tma $(BIG_LITTLE_FOCUS) --threshold 0.1% -o $*.txt $(filter %.tr,$^) || [ $$? = 1 ]
$(BIG_LITTLE_RUNS:%=$(BIG_LITTLE_OUT)/%.folded): %.folded: %.stacks.tr $(B)/bin/tr-fold
	$(Q)$(B)/bin/tr-fold $(BIG_LITTLE_FOCUS) -o $@.all $<
	$(Q)grep -E ';benchmark[; ]' $@.all > $@; rm $@.all
$(BIG_LITTLE_SVGS): %.svg: %-inorder.folded %-ooo.folded $(B)/bin/tr-diff
	$(Q)$(B)/bin/tr-diff --svg $@ --title '$(*F): cycles in order (before) and out of order (after)' -o /dev/null \
		$(filter %.folded,$^) || [ $$? = 1 ]
# --- of moves: when its parts began and ended
define big_little_moved
$(BIG_LITTLE_OUT)/$(1).$(2).csv: $(BIG_LITTLE_OUT)/$(1).stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report slowest $(2) --format csv -o $$@ $$<
endef
$(foreach r,$(BIG_LITTLE_MOVES_RUNS),$(foreach f,$(BIG_LITTLE_MOVED),$(eval $(call big_little_moved,$(r),$(f)))))
BIG_LITTLE_CSVS := $(foreach k,functions tma,$(BIG_LITTLE_RUNS:%=$(BIG_LITTLE_OUT)/%.$(k).csv)) \
	$(BIG_LITTLE_PROGRAMS:%=$(BIG_LITTLE_OUT)/%.diff.csv) \
	$(BIG_LITTLE_OUT)/all-together.functions.csv \
	$(foreach f,$(BIG_LITTLE_MOVED),$(BIG_LITTLE_MOVES_RUNS:%=$(BIG_LITTLE_OUT)/%.$(f).csv))
$(BIG_LITTLE_OUT)/big-little.txt: $(BIG_LITTLE_CSVS) pipelines/big-little.awk
	$(Q)awk -v moves=$(BIG_LITTLE_MOVES) -f pipelines/big-little.awk $(BIG_LITTLE_CSVS) > $@
.SECONDARY: $(foreach r,$(BIG_LITTLE_RUNS) all-together $(BIG_LITTLE_MOVES_RUNS),$(addprefix $(BIG_LITTLE_OUT)/$(r).,ck tr stacks.tr folded))
