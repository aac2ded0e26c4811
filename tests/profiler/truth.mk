# SPDX-License-Identifier: Apache-2.0
# `make truth-profiler`: the counters of the run-time profiler against the executions of
# entries in the trace of the same run, for each program of `make linux-prof`, on the model
# and on the hardware, with one hart and two; and against the executions in a run without it.

PROF_TRUTH := tests/profiler
PROF_TRUTH_B := $(B)/truth/profiler
COUNT_ENTRIES := $(B)/profiler/count-entries

COUNT_ENTRIES_OBJS := $(patsubst %,$(B)/obj/$(PROF_TRUTH)/%.o,block_marks count_entries given_files process_lives space_lives stub_costs trace_walk watched_programs)
OBJS += $(COUNT_ENTRIES_OBJS)
$(COUNT_ENTRIES): $(COUNT_ENTRIES_OBJS) $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
test-cli golden: $(COUNT_ENTRIES)

# --- runs: PROGRAM-MODE-HARTS-SIMULATOR.csv

PROF_TRUTH_PROGRAMS := $(PROFILED_MEASURED) $(PROFILED_TESTS)
# What these do depends on time; of some only with two harts.
PROF_TRUTH_TIMED := threads signals cxx-2 tree
PROF_TRUTH_SIMULATORS := soc-model soc-sim
PROF_TRUTH_IMAGES_1 := $(TARGET_B)/firmware.elf $(GC_B)/vmlinux
PROF_TRUTH_IMAGES_2 := $(TARGET_B)/firmware-smp.elf $(GC_SMP_B)/vmlinux
PROF_TRUTH_OPTIONS_1 :=
PROF_TRUTH_OPTIONS_2 := --harts 2
PROF_TRUTH_PROBES := --probes $(PROF_TRUTH)/spaces.probes --probes $(PROF_TRUTH)/written.probes

# Functions of a program, as the machine loads it.
$(PROF_TRUTH_B)/%.entries: $(PROF_TRUTH)/entries.sh $(PROFILED_B)/root/.%
	$(Q)mkdir -p $(@D)
	$(Q)CROSS=$(LINUX_CROSS) $< $(PROFILED_B)/root/bin/$* > $@
$(PROF_TRUTH_B)/%.list: $(B)/bin/prof-extract $(PROFILED_B)/root/.%
	$(Q)mkdir -p $(@D)
	$(Q)$< --list $(PROFILED_B)/root/bin/$* > $@

# $(call prof_truth_result,PROGRAM,CONSOLE): fails unless the program ended well, with its output.
PROF_TRUTH_STATUS_minisat := 10 # satisfiable
prof_truth_result = grep -q '^$(1): status $(or $(strip $(PROF_TRUTH_STATUS_$(1))),0)' $(2) && ! grep -q '^$(1): .* has the sum ' $(2) || \
	{ cat $(2) >&2; exit 1; }
# $(call prof_truth_count,SIMULATOR,HARTS,DTB,CPIO,PROGRAM): makes $@ of a run. What else there
# is, in a folder of that name: files that the target gave, its console, moves and costs.
define prof_truth_count
	$(call say,COUNT,$@)
	$(Q)rm -rf $(@:.csv=); mkdir -p $(@:.csv=)
	$(Q)$(B)/bin/$(1) --isa rv64gc --ram 64M $(PROF_TRUTH_OPTIONS_$(2)) --dtb $(3) --initrd $(4) --trace - $(PROF_TRUTH_IMAGES_$(2)) \
		</dev/null 2>$(@:.csv=)/console | \
		$(B)/bin/tr-replay --stream $(PROF_TRUTH_PROBES) --dtb $(3) --initrd $(4) - $(PROF_TRUTH_IMAGES_$(2)) | \
		$(COUNT_ENTRIES) --given $(@:.csv=) --moves $(@:.csv=)/moves --costs $(@:.csv=)/costs - $(5)=$(PROF_TRUTH_B)/$(5).entries > $@ || \
		{ cat $(@:.csv=)/console >&2; exit 1; }
	$(Q)$(call prof_truth_result,$(5),$(@:.csv=)/console)
endef
PROF_TRUTH_NEEDS := $(COUNT_ENTRIES) $(B)/bin/tr-replay $(wildcard $(PROF_TRUTH)/*.probes)
# The same of the model with two harts, whose traces cannot be replayed: address spaces are those
# of tr-match, which knows nothing of stubs, and counters are printed.
define prof_truth_spaces
	$(call say,COUNT,$@)
	$(Q)rm -rf $(@:.csv=); mkdir -p $(@:.csv=)
	$(Q)$(B)/bin/soc-model --isa rv64gc --ram 64M --harts 2 --dtb $(1) --initrd $(2) --trace - $(PROF_TRUTH_IMAGES_2) \
		</dev/null 2>$(@:.csv=)/console | $(B)/bin/tr-match --bins $(PROFILED_B)/$(3)-normal-2.lst - 2>$(@:.csv=)/log | \
		$(COUNT_ENTRIES) --spaces --moves $(@:.csv=)/moves - $(3)=$(PROF_TRUTH_B)/$(3).entries > $@ || \
		{ cat $(@:.csv=)/console >&2; exit 1; }
	$(Q)$(call prof_truth_result,$(3),$(@:.csv=)/console)
endef
PROF_TRUTH_SPACES := $(COUNT_ENTRIES) $(addprefix $(B)/bin/,soc-model tr-match)

# $(call prof_truth_run,PROGRAM,MODE,HARTS,SIMULATOR)
define prof_truth_run
$(PROF_TRUTH_B)/$(1)-$(2)-$(3)-$(4).csv: $(PROF_TRUTH_NEEDS) $(B)/bin/$(4) $(PROF_TRUTH_B)/$(1).entries \
		$(PROFILED_B)/$(1)-$(2)-$(3).dtb $(PROFILED_B)/$(1)-$(2).cpio
	$$(call prof_truth_count,$(4),$(3),$(PROFILED_B)/$(1)-$(2)-$(3).dtb,$(PROFILED_B)/$(1)-$(2).cpio,$(1))
endef
# $(call prof_truth_print,PROGRAM,MODE): the run on two harts of the model.
define prof_truth_print
$(PROF_TRUTH_B)/$(1)-$(2).cpio: $(PROFILED_B)/$(1)-$(2).cpio $(PROF_TRUTH)/print_counts.sh
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,measure $(PROFILED_TOOLS_$(2))) $(PROFILED_B)/$(call PROFILED_ROOT_$(2),$(1)) \
		$(PROFILED)/profiler.sh /bin/hand_over=$(PROF_TRUTH)/print_counts.sh \
		$(foreach i,$(PROFILED_INPUT_$(1)),/$(i)=$(PROFILED_B)/inputs/$(i)) $$(call PROFILED_FOLDER_$(2),$(1)) > $$@
$(PROF_TRUTH_B)/$(1)-$(2)-2-soc-model.csv: $(PROF_TRUTH_SPACES) $(PROF_TRUTH_B)/$(1).entries \
		$(PROFILED_B)/$(1)-$(2)-2.dtb $(PROF_TRUTH_B)/$(1)-$(2).cpio
	$$(call prof_truth_spaces,$(PROFILED_B)/$(1)-$(2)-2.dtb,$(PROF_TRUTH_B)/$(1)-$(2).cpio,$(1))
endef
$(foreach p,$(PROF_TRUTH_PROGRAMS),$(foreach m,normal process global,$(eval $(call prof_truth_print,$(p),$(m))) \
	$(foreach r,1-soc-model 1-soc-sim 2-soc-sim,$(eval $(call prof_truth_run,$(p),$(m),$(firstword $(subst -, ,$(r))),$(subst 1-,,$(subst 2-,,$(r))))))))

# $(call prof_truth_judge,STEM,PROGRAM,OPTIONS): compares counters with a run's executions.
prof_truth_judge = printf '%s: ' $(1); awk -f $(PROF_TRUTH)/counters.awk $(3) $(PROF_TRUTH_B)/$(2).list \
	<($(PROF_TRUTH)/counters.sh $(PROF_TRUTH_B)/$(1)) $(PROF_TRUTH_B)/$(1).csv
prof_truth_judge_printed = printf '%s: ' $(1); awk -f $(PROF_TRUTH)/printed.awk $(3) $(PROF_TRUTH_B)/$(2).list \
	$(PROF_TRUTH_B)/$(1)/console $(PROF_TRUTH_B)/$(1).csv
# Lives that a program starts by a shell, which is not profiled.
PROF_TRUTH_ALONE_tree := 3
PROF_TRUTH_RUNS := 1-soc-model 1-soc-sim 2-soc-model 2-soc-sim
# $(call prof_truth_program,PROGRAM)
define prof_truth_program
.PHONY: truth-profiler-$(1)
truth-profiler-$(1): linux-prof
	$(Q)$$(MAKE) -s --no-print-directory $(PROF_TRUTH_B)/$(1).list \
		$(foreach m,normal process,$(PROF_TRUTH_RUNS:%=$(PROF_TRUTH_B)/$(1)-$(m)-%.csv)) \
		$(PROF_TRUTH_GLOBAL_$(1):%=$(PROF_TRUTH_B)/$(1)-global-%.csv)
	$(Q)failed=0; for run in $(foreach r,$(filter-out 2-soc-model,$(PROF_TRUTH_RUNS)),$(1)-process-$(r)) $(PROF_TRUTH_GLOBAL_$(1):%=$(1)-global-%); do \
		$$(call prof_truth_judge,$$$$run,$(1),-v whole=1 -v alone=$(PROF_TRUTH_ALONE_$(1))) || failed=1; \
	done; \
	$$(call prof_truth_judge_printed,$(1)-process-2-soc-model,$(1),-v whole=1 -v alone=$(PROF_TRUTH_ALONE_$(1))) || failed=1; \
	for run in $(foreach r,$(PROF_TRUTH_RUNS),$(if $(filter $(1) $(1)-$(firstword $(subst -, ,$(r))),$(PROF_TRUTH_TIMED)),,$(r))); do \
		printf '%s: ' $(1)-$$$$run; \
		awk -f $(PROF_TRUTH)/same-entries.awk $(PROF_TRUTH_B)/$(1)-normal-$$$$run.csv $(PROF_TRUTH_B)/$(1)-process-$$$$run.csv || failed=1; \
	done; [ $$$$failed = 0 ]
endef
PROF_TRUTH_GLOBAL_forks := 1-soc-model 2-soc-sim
PROF_TRUTH_GLOBAL_kernels-O2 := 1-soc-model
$(foreach p,$(PROF_TRUTH_PROGRAMS),$(eval $(call prof_truth_program,$(p))))

.PHONY: truth-profiler
truth-profiler: $(PROF_TRUTH_PROGRAMS:%=truth-profiler-%) ## Compare the run-time profiler's counters with the entries executed

# --- the injector at random times: attach.c

PROF_ATTACH_B := $(PROF_TRUTH_B)/attach
$(PROF_ATTACH_B)/attach: $(PROF_TRUTH)/attach.c $(PROFILED_B)/programs.flags $(GC_MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROFILED_CFLAGS) -O1 -static -s -o $@ $<

# Of each: what attach does, with a program and its argument, on HARTS harts.
PROF_ATTACHES := multiply-1 multiply-2 cxx-1 cxx-2 threads-1 threads-2 again-1 again-2
PROF_ATTACH_DOES_multiply-1 := runs 600 1 multiply 4
PROF_ATTACH_WITHIN_multiply-1 := 10
PROF_ATTACH_DOES_multiply-2 := runs 200 2 multiply 4
PROF_ATTACH_DOES_cxx-1 := runs 100 3 cxx
PROF_ATTACH_DOES_cxx-2 := runs 50 4 cxx
PROF_ATTACH_DOES_threads-1 := runs 50 5 threads
PROF_ATTACH_DOES_threads-2 := runs 50 6 threads
PROF_ATTACH_DOES_again-1 := again 100 7 multiply 4000
PROF_ATTACH_DOES_again-2 := again 100 8 multiply 4000

# $(call prof_attach,NAME,PROGRAM,HARTS)
PROF_ATTACH_TOOLS_1 := $(addprefix $(PROFILED_B)/stripped/,hand_over prof-inject)
PROF_ATTACH_TOOLS_2 := $(addprefix $(PROFILED_B)/stripped/,prof-counts prof-inject)
PROF_ATTACH_GIVE_2 := /bin/hand_over=$(PROF_TRUTH)/print_counts.sh
PROF_ATTACH_RUN_1 = $$(call prof_truth_count,soc-model,1,$(PROF_ATTACH_B)/$(1).dtb,$(PROF_ATTACH_B)/$(1).cpio,$(2))
PROF_ATTACH_RUN_2 = $$(call prof_truth_spaces,$(PROF_ATTACH_B)/$(1).dtb,$(PROF_ATTACH_B)/$(1).cpio,$(2))
PROF_ATTACH_JUDGE_1 = $(prof_truth_judge)
PROF_ATTACH_JUDGE_2 = $(prof_truth_judge_printed)
define prof_attach
$(call linux_text,$(PROF_ATTACH_B)/$(1).words,$(PROF_ATTACH_DOES_$(1)))
$(PROF_ATTACH_B)/$(1).cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(PROF_ATTACH_B)/attach \
		$(PROF_ATTACH_TOOLS_$(3)) $(PROFILED_B)/prof/.$(2) $(PROF_TRUTH)/attach.sh $(PROF_TRUTH)/print_counts.sh
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(PROF_ATTACH_B)/attach \
		$(PROF_ATTACH_TOOLS_$(3)) $(PROFILED_B)/root/bin/$(2) $(PROF_TRUTH)/attach.sh $(PROF_ATTACH_GIVE_$(3)) \
		$$(call PROFILED_FOLDER_process,$(2)) > $$@
$(PROF_ATTACH_B)/$(1).dtb: $(LINUX)/soc.dts sim/soc.h $(PROF_ATTACH_B)/$(1).words
	$(Q)$(LINUX_CPP) -DHARTS=$(3) -DISA='"rv64imafdc"' -DBOOTARGS='"quiet console=hvc0 -- /script $(PROF_ATTACH_DOES_$(1))"' $$< | \
		dtc -q -O dtb -o $$@
$(PROF_ATTACH_B)/$(1).csv: $(PROF_TRUTH_NEEDS) $(PROF_TRUTH_SPACES) $(PROF_TRUTH_B)/$(2).entries $(PROF_ATTACH_B)/$(1).dtb $(PROF_ATTACH_B)/$(1).cpio
	$(call PROF_ATTACH_RUN_$(3),$(1),$(2))
.PHONY: truth-attach-$(1)
truth-attach-$(1): linux-prof
	$(Q)$$(MAKE) -s --no-print-directory $(PROF_TRUTH_B)/$(2).list $(PROF_ATTACH_B)/$(1).csv
	$(Q)grep -h '^attach' $(PROF_ATTACH_B)/$(1)/console
	$(Q)$(call PROF_ATTACH_JUDGE_$(3),attach/$(1),$(2),$(if $(filter again,$(PROF_ATTACH_DOES_$(1))),-v again=1))
	$(Q)printf '%s: ' attach/$(1); awk -v least=$(PROF_ATTACH_WITHIN_$(1)) -f $(PROF_TRUTH)/moves.awk \
		$(PROF_TRUTH_B)/$(2).entries $(PROF_ATTACH_B)/$(1)/moves
endef
$(foreach a,$(PROF_ATTACHES),$(eval $(call prof_attach,$(a),$(word 4,$(PROF_ATTACH_DOES_$(a))),$(lastword $(subst -, ,$(a))))))
truth-profiler: $(PROF_ATTACHES:%=truth-attach-%)
