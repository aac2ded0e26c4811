# SPDX-License-Identifier: Apache-2.0
# `make perturb`: what gprof, the tracer of Go's runtime and strace cost the program that they
# measure, and what they report, beside what the program did. Each program runs without and
# with its tool on the hardware; the time that counts is the call of measured() in the program
# that starts it (sim/target/linux/perturb/). Results are in build/perturb/.

PERTURB_OUT := $(B)/perturb
PERTURB_WINDOW := --from measured --to measured
PERTURB_TEXTS := $(addprefix $(PERTURB_OUT)/,gprof.txt go.txt strace.txt perturb.txt)
PERTURB_IMAGES = $(FW) $(GC_B)/vmlinux --dtb $(PERTURB_B)/$*.dtb --initrd $(PERTURB_B)/$*.cpio

.PHONY: perturb
perturb: linux-perturb $(addprefix $(B)/bin/,soc-sim tr-capture tr-match tr-unwind tr-report tr-diff tr-replay)
perturb: ## What gprof, Go's tracer and strace cost, and how right they are
	@$(MAKE) -s --no-print-directory $(PERTURB_TEXTS)
	@for text in $(PERTURB_TEXTS); do echo; cat $$text; done

$(PERTURB_OUT)/%.tr: $(FW) $(GC_B)/vmlinux $(PERTURB_B)/%.dtb $(PERTURB_B)/%.cpio $(addprefix $(B)/bin/,soc-sim tr-capture)
	$(call say,RUN,$*)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-capture -o $@ -- $(B)/bin/soc-sim --isa rv64gc --ram 64M $(PERTURB_IMAGES) </dev/null >$(@:.tr=.console)

$(PERTURB_OUT)/%.stacks.tr: $(PERTURB_OUT)/%.tr $(PERTURB_B)/%.lst $(addprefix $(B)/bin/,tr-match tr-unwind)
	$(call say,STACKS,$*)
	$(Q)$(B)/bin/tr-match --bins $(PERTURB_B)/$*.lst $< 2>$(@:.tr=.log) | $(B)/bin/tr-unwind -o $@ 2>>$(@:.tr=.log)
$(PERTURB_OUT)/%.functions.csv: $(PERTURB_OUT)/%.stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report functions $(PERTURB_WINDOW) --format csv -o $@ $<
# What the tool wrote: what dd of perturb.sh writes, copied from the target's memory.
PERTURB_DD := dd: vmlinux:ksys_write / current->comm == "dd" && current->real_parent->comm == "script" && arg0 == 1 / \
	{ data = buf(arg1, arg2); }
$(PERTURB_OUT)/%.result: $(PERTURB_OUT)/%.tr $(B)/bin/tr-replay pipelines/perturb-bytes.awk
	$(call say,PROBE,$@)
	$(Q)$(B)/bin/tr-replay --probe '$(PERTURB_DD)' $< $(PERTURB_IMAGES) | LC_ALL=C awk -f pipelines/perturb-bytes.awk >$@
# System calls within the call of measured().
$(PERTURB_OUT)/%.syscalls: $(PERTURB_OUT)/%.tr $(LINUX_PROBES) $(addprefix $(B)/bin/,tr-match tr-replay)
	$(call say,PROBE,$@)
	$(Q)$(B)/bin/tr-match --bins $(PERTURB_B)/$*.lst $< | $(B)/bin/tr-replay --probes $(LINUX_PROBES) \
		--probe 'begin: measure:measured { }' --probe 'end: measure:measured:return { }' - $(PERTURB_IMAGES) 2>$@.log | \
		awk '/ begin/ { on = 1 } / end/ { on = 0 } on' >$@

# --- the price; the console shows what the program did
$(PERTURB_TOOLS:%=$(PERTURB_OUT)/%.csv): $(PERTURB_OUT)/%.csv: $(PERTURB_OUT)/%-without.stacks.tr $(PERTURB_OUT)/%-with.stacks.tr $(B)/bin/tr-diff
	$(Q)cmp $(PERTURB_OUT)/$*-without.console $(PERTURB_OUT)/$*-with.console
	$(Q)$(B)/bin/tr-diff --tma $(PERTURB_WINDOW) --format csv -o $@ $(wordlist 1,2,$^) || [ $$? = 1 ]
	$(Q)$(B)/bin/tr-diff --tma $(PERTURB_WINDOW) --threshold 1% -o $(@:.csv=-functions.txt) $(wordlist 1,2,$^) || [ $$? = 1 ]
$(PERTURB_OUT)/perturb.txt: $(foreach s,csv txt,$(PERTURB_TOOLS:%=$(PERTURB_OUT)/%.$(s))) pipelines/perturb.awk
	$(Q)awk -f pipelines/perturb.awk $(filter %.csv %.txt,$^) >$@

# --- what the tools report
$(PERTURB_OUT)/gprof.txt: $(PERTURB_OUT)/gprof-with.result $(PERTURB_OUT)/gprof-without.functions.csv \
		$(PERTURB_OUT)/gprof-with.functions.csv pipelines/perturb-gprof.awk
	$(Q)$(LINUX_CROSS)gprof -b -p $(PERTURB_B)/with/words $< >$(PERTURB_OUT)/gprof-flat.txt
	$(Q)awk -f pipelines/perturb-gprof.awk $(filter %.csv,$^) $(PERTURB_OUT)/gprof-flat.txt >$@
# Up to the call that starts Go's tracer, and from the one that stops it.
PERTURB_BEFORE := --from measured --to runtime.StartTrace
PERTURB_AFTER := --from runtime.StopTrace --to measured
$(PERTURB_OUT)/go-with.before.csv: PERTURB_PART = $(PERTURB_BEFORE)
$(PERTURB_OUT)/go-with.after.csv: PERTURB_PART = $(PERTURB_AFTER)
$(PERTURB_OUT)/go-with.before.csv $(PERTURB_OUT)/go-with.after.csv: $(PERTURB_OUT)/go-with.stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report functions $(PERTURB_PART) --format csv -o $@ $<
$(PERTURB_OUT)/go.txt: $(PERTURB_OUT)/go-with.result $(PERTURB_OUT)/go-without.functions.csv \
		$(addprefix $(PERTURB_OUT)/go-with.,functions.csv before.csv after.csv) pipelines/perturb-go.awk
	$(Q)go tool trace -d $< 2>&1 >$(PERTURB_OUT)/go-events.txt | grep failed >$(PERTURB_OUT)/go-verdict.txt || :
	$(Q)od -An -v -tu1 -w1 $< | awk -f pipelines/perturb-go.awk $(filter %.csv,$^) - $(PERTURB_OUT)/go-verdict.txt >$@
$(PERTURB_OUT)/strace.txt: $(GC_KERNEL)/.built $(PERTURB_OUT)/strace-with.result \
		$(PERTURB_OUT)/strace-without.syscalls $(PERTURB_OUT)/strace-with.syscalls pipelines/perturb-strace.awk
	$(Q)awk -f pipelines/perturb-strace.awk $(GC_KERNEL)/usr/include/asm-generic/unistd.h $(filter-out %.awk %/.built,$^) >$@
.SECONDARY: $(foreach r,$(PERTURB_RUNS),$(addprefix $(PERTURB_OUT)/$(r).,tr stacks.tr functions.csv result syscalls))
