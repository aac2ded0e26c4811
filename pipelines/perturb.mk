# SPDX-License-Identifier: Apache-2.0
# `make perturb`: what gprof, the tracer of Go's runtime and strace cost the program that they
# measure, and what they report, beside what the program did. Each program runs without and
# with its tool on the hardware; the time that counts is the call of measured() in the program
# that starts it (sim/target/linux/perturb/). Results are in build/perturb/. The system calls
# that strace reports must be those in the table of tr-timeline, or else it fails.

PERTURB_OUT := $(B)/perturb
PERTURB_WINDOW := --from measured --to measured
PERTURB_TEXTS := $(addprefix $(PERTURB_OUT)/,gprof.txt go.txt strace.txt perturb.txt calls.txt)
PERTURB_IMAGES = $(FW) $(GC_B)/vmlinux --dtb $(PERTURB_B)/$*.dtb --initrd $(PERTURB_B)/$*.cpio

.PHONY: perturb
perturb: linux-perturb $(addprefix $(B)/bin/,soc-sim tr-capture tr-match tr-unwind tr-report tr-diff tr-replay tr-timeline)
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
# --- strace's system calls, and those that the trace and probes alone have: by process and
# name, with errors and calls that did not return, from the exec of the program on, whose
# calls before it are hidden by strace. calls-without is the same program without strace.
PERTURB_UNISTD := $(GC_KERNEL)/usr/include/asm-generic/unistd.h
$(PERTURB_OUT)/%.tasks.tr: $(PERTURB_OUT)/%.tr $(PERTURB_B)/%.lst $(LINUX_PROBES) $(addprefix $(B)/bin/,tr-match tr-replay tr-unwind)
	$(call say,PROBE,$@)
	$(Q)$(B)/bin/tr-replay --stream --probes $(LINUX_PROBES) $< $(PERTURB_IMAGES) 2>$@.log | \
		$(B)/bin/tr-match --bins $(PERTURB_B)/$*.lst 2>>$@.log | $(B)/bin/tr-unwind -o $@ 2>>$@.log
# The program's pid, and the cycle of its exec.
$(PERTURB_OUT)/%.root: $(PERTURB_OUT)/%.syscalls
	$(Q)awk '$$4 == "exec" && !/ filename="[^"]*strace"/ && match($$0, / pid=[0-9]+/) { \
		print substr($$0, RSTART + 5, RLENGTH - 5), $$1; found = 1; exit } END { exit !found }' $< >$@
$(PERTURB_OUT)/%.calls: $(PERTURB_OUT)/%.tasks.tr $(PERTURB_OUT)/%.root $(GC_KERNEL)/.built $(B)/bin/tr-timeline pipelines/perturb-calls.awk
	$(Q)read -r root from <$(PERTURB_OUT)/$*.root; \
	$(B)/bin/tr-timeline --table processes --format csv -o $(@:.calls=.processes.csv) $<; \
	$(B)/bin/tr-timeline --table process-syscalls --from $$from --format csv -o $(@:.calls=.process-syscalls.csv) $<; \
	awk -v root=$$root -f pipelines/perturb-calls.awk $(PERTURB_UNISTD) $(@:.calls=.processes.csv) $(@:.calls=.process-syscalls.csv) | \
		LC_ALL=C sort -k 1,1n -k 2 >$@
$(PERTURB_OUT)/%.strace: $(PERTURB_OUT)/%.result pipelines/perturb-calls-strace.awk
	$(Q)awk -f pipelines/perturb-calls-strace.awk $< | LC_ALL=C sort -k 1,1n -k 2 >$@
$(PERTURB_OUT)/calls.txt: $(addprefix $(PERTURB_OUT)/,strace-with.strace strace-with.calls calls-with.strace calls-with.calls calls-without.calls)
	$(Q)diff -U 0 $(wordlist 1,2,$^); diff -U 0 $(wordlist 3,4,$^); diff -U 0 $(wordlist 4,5,$^)
	$(Q)awk '{ calls += $$3; errors += $$4; open += $$5 } END { \
		printf "system calls: strace and tr-timeline agree on %d, %d with errors, and %d that did not return\n", \
			calls, errors, open; exit !errors || !open }' $(filter %.strace,$^) >$@
.PHONY: golden-perturb
golden-perturb: linux-perturb $(addprefix $(B)/bin/,soc-sim tr-capture tr-match tr-replay) ## Record strace's log and the hits of tests/cli/perturb-calls.sh again
	$(Q)[ -z "$(CI)" ] && $(MAKE) -s --no-print-directory $(addprefix $(PERTURB_OUT)/calls-with.,result root syscalls)
	$(Q)read -r root _ <$(PERTURB_OUT)/calls-with.root; cp $(PERTURB_OUT)/calls-with.result tests/cli/data/calls-strace.txt; \
	awk -v root=$$root -f pipelines/perturb-hits.awk $(PERTURB_OUT)/calls-with.syscalls >tests/cli/data/calls-hits.txt
.SECONDARY: $(foreach r,$(PERTURB_RUNS),$(addprefix $(PERTURB_OUT)/$(r).,tr stacks.tr functions.csv result syscalls tasks.tr root calls strace))
