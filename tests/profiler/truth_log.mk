# SPDX-License-Identifier: Apache-2.0
# `make truth-log`: the log that prof-daemon writes against the trace of the same run. `five`: five
# programs at once, whose logs are read at PROF_LOG_MOMENTS random moments, on the hardware with one
# hart and two, and in the mode global on the model. `family`: forks, threads, exec and two programs
# with functions of one name; the logs of all processes against the log for all, on the model.

PROF_LOG_B := $(B)/truth/log
FOLLOW_LOG := $(B)/profiler/follow-log

FOLLOW_LOG_OBJS := $(patsubst %,$(B)/obj/$(PROF_TRUTH)/%.o,block_marks counter_loads follow_log given_files log_facts process_lives trace_walk watched_programs)
OBJS += $(FOLLOW_LOG_OBJS)
$(FOLLOW_LOG): $(FOLLOW_LOG_OBJS) $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
test-cli golden: $(FOLLOW_LOG)

$(PROFILED_B)/tools/log_reader: $(PROF_TRUTH)/log_reader.c $(PROFILED_B)/programs.flags $(GC_MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROFILED_CFLAGS) -D_GNU_SOURCE -O2 -static -o $@ $<

# Programs of a scenario, and what it reads.
PROF_LOG_PROGRAMS_five := multiply kernels-O2 denoise minisat djpeg
PROF_LOG_INPUTS_five := formula picture.jpg
PROF_LOG_MOMENTS ?= 1000
PROF_LOG_WORDS_five := $(PROF_LOG_MOMENTS) 50
PROF_LOG_RAM_five := 64M
PROF_LOG_PROGRAMS_family := log_family log_cousin
PROF_LOG_RAM_family := 256M
PROF_LOG_SCENARIOS := five family
PROF_LOG_TOOLS := prof-daemon prof-log hand_over log_reader

$(PROF_LOG_PROGRAMS_family:%=$(PROFILED_B)/programs/%): $(PROFILED_B)/programs/%: $(PROF_TRUTH)/%.c $(LINUX)/programs/check.h $(PROFILED_B)/programs.flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC) $(PROFILED_CFLAGS) -Isim/target $(PROFILED_LDFLAGS) -o $@ $<

PROF_LOG_IMAGES_1 := $(TARGET_B)/firmware.elf $(PROF_KERNEL_B)/vmlinux
PROF_LOG_IMAGES_2 := $(TARGET_B)/firmware-smp.elf $(PROF_KERNEL_SMP_B)/vmlinux
PROF_LOG_PROBES := $(addprefix $(PROF_TRUTH)/,spaces.probes written.probes log.probes)

$(PROF_LOG_B)/loads.probes: $(PROF_TRUTH)/log_loads.sh $(PROF_B)/bin/prof-daemon
	$(Q)mkdir -p $(@D)
	$(Q)CROSS=$(LINUX_CROSS) $< $(PROF_B)/bin/prof-daemon load_calls > $@

.PRECIOUS: $(PROF_TRUTH_B)/%.list $(PROF_TRUTH_B)/%.entries

# $(call prof_log_scenario,SCENARIO): what the extractor finds in its programs, for all together.
define prof_log_scenario
$(PROF_LOG_B)/$(1)/.prof: $(B)/bin/prof-extract $(PROF_LOG_PROGRAMS_$(1):%=$(PROFILED_B)/root/.%)
	$(call say,PROF,$(1))
	$(Q)rm -rf $$(@D)/prof; mkdir -p $$(@D)/prof
	$(Q)for program in $(PROF_LOG_PROGRAMS_$(1)); do \
		$(B)/bin/prof-extract -o $$(@D)/prof --root $(PROFILED_B)/root $(PROFILED_B)/root/bin/$$$$program; done; touch $$@
$(PROF_LOG_B)/$(1)/%.indexes: $(PROF_TRUTH)/log_indexes.sh $(PROF_TRUTH_B)/%.list $(PROF_LOG_B)/$(1)/.prof
	$(Q)CROSS=$(LINUX_CROSS) $$< $(PROFILED_B)/root/bin/$$* $(PROF_TRUTH_B)/$$*.list $$(@D)/prof/shmemg.dat > $$@
$(PROF_LOG_B)/$(1)/%.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(PROF_LOG_TOOLS:%=$(PROFILED_B)/stripped/%) \
		$(PROF_LOG_B)/$(1)/.prof $(PROF_TRUTH)/log_runs.sh $(PROF_LOG_B)/$(1)/%.conf $(PROF_LOG_INPUTS_$(1):%=$(PROFILED_B)/inputs/%)
	$(call say,CPIO,$$@)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(PROF_LOG_TOOLS:%=$(PROFILED_B)/stripped/%) $(PROF_LOG_PROGRAMS_$(1):%=$(PROFILED_B)/root/bin/%) \
		$(PROF_TRUTH)/log_runs.sh /config=$(PROF_LOG_B)/$(1)/$$*.conf $(foreach i,$(PROF_LOG_INPUTS_$(1)),/$(i)=$(PROFILED_B)/inputs/$(i)) \
		$$$$(cd $$(@D)/prof && find * -type f -printf '/prof/%p=$(CURDIR)/$(PROF_LOG_B)/$(1)/prof/%p\n' | LC_ALL=C sort) > $$@
$(PROF_LOG_B)/$(1)/%.conf: $(PROF_TRUTH)/log_$(1).conf
	$(Q)mkdir -p $$(@D)
	$(Q){ cat $$<; echo 'mode = $$*'; } > $$@
$(PROF_LOG_B)/$(1)/%.dtb: $(LINUX)/soc.dts sim/soc.h $(PROF_TRUTH)/truth_log.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$$* -DISA='"rv64imafdc"' -DBOOTARGS='"quiet console=hvc0 -- /script $(1) $(PROF_LOG_WORDS_$(1)) $$*"' $$< | \
		dtc -q -O dtb -o $$@
.PRECIOUS: $(PROF_LOG_B)/$(1)/%.conf
endef
$(foreach s,$(PROF_LOG_SCENARIOS),$(eval $(call prof_log_scenario,$(s))))

# Binaries whose code has probes.
$(PROF_LOG_B)/%.lst: $(PROF_TRUTH)/truth_log.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '$(CURDIR)/$(firstword $(PROF_LOG_IMAGES_$*)) firmware' '$(CURDIR)/$(lastword $(PROF_LOG_IMAGES_$*)) kernel' \
		'$(CURDIR)/$(PROF_B)/bin/prof-daemon user' > $@

# $(call prof_log_run,SCENARIO,MODE,HARTS,SIMULATOR): SCENARIO/MODE-HARTS-SIMULATOR.facts, and a
# folder of that name with its console and the files that it gave.
define prof_log_run
$(PROF_LOG_B)/$(1)/$(2)-$(3)-$(4).facts: $(addprefix $(B)/bin/,$(4) tr-match tr-replay) $(FOLLOW_LOG) $(PROF_LOG_PROBES) $(PROF_LOG_B)/loads.probes \
		$(PROF_LOG_B)/$(3).lst $(PROF_LOG_B)/$(1)/$(3).dtb $(PROF_LOG_B)/$(1)/$(2).cpio \
		$(foreach p,$(PROF_LOG_PROGRAMS_$(1)),$(PROF_TRUTH_B)/$(p).entries $(PROF_LOG_B)/$(1)/$(p).indexes)
	$(call say,FOLLOW,$$@)
	$(Q)rm -rf $$(@:.facts=); mkdir -p $$(@:.facts=)
	$(Q)$(B)/bin/$(4) --isa rv64gc --ram $(PROF_LOG_RAM_$(1)) $(PROF_TRUTH_OPTIONS_$(3)) --dtb $(PROF_LOG_B)/$(1)/$(3).dtb --initrd $(PROF_LOG_B)/$(1)/$(2).cpio \
		--trace - $(PROF_LOG_IMAGES_$(3)) </dev/null 2>$$(@:.facts=)/console | \
		$(B)/bin/tr-match --bins $(PROF_LOG_B)/$(3).lst - 2>$$(@:.facts=)/log | \
		$(B)/bin/tr-replay --stream $(PROF_LOG_PROBES:%=--probes %) --probes $(PROF_LOG_B)/loads.probes --dtb $(PROF_LOG_B)/$(1)/$(3).dtb \
			--initrd $(PROF_LOG_B)/$(1)/$(2).cpio - $(PROF_LOG_IMAGES_$(3)) | \
		$(FOLLOW_LOG) $$(@:.facts=) - $(foreach p,$(PROF_LOG_PROGRAMS_$(1)),$(p)=$(PROF_TRUTH_B)/$(p).entries $(PROF_LOG_B)/$(1)/$(p).indexes) > $$@ || \
		{ cat $$(@:.facts=)/console >&2; exit 1; }
	$(Q)grep -q '^$(1): done' $$(@:.facts=)/console && ! grep ': status [^0]' $$(@:.facts=)/console || { cat $$(@:.facts=)/console >&2; exit 1; }
endef
$(foreach r,1-soc-model 1-soc-sim 2-soc-sim,$(foreach s,$(PROF_LOG_SCENARIOS),$(foreach m,process global,\
	$(eval $(call prof_log_run,$(s),$(m),$(firstword $(subst -, ,$(r))),$(subst 1-,,$(subst 2-,,$(r))))))))

# $(call prof_log_judge,RUN,OPTIONS): RUN is SCENARIO/MODE-HARTS-SIMULATOR.
prof_log_judge = echo '$(1):'; awk $(2) -f $(PROF_TRUTH)/log.awk $(PROF_LOG_B)/$(1).facts $$(find $(PROF_LOG_B)/$(1) -name 'printed-*.csv')
PROF_LOG_FIVE := $(addprefix five/,process-1-soc-sim process-2-soc-sim global-1-soc-model)
PROF_LOG_FAMILY := $(addprefix family/,process-1-soc-model global-1-soc-model)
PROF_LOG_LEAST := -v whole=$(PROF_LOG_MOMENTS) -v ticks=$(PROF_LOG_MOMENTS) -v tables=3 -v steady=1 -v apart=5

.PHONY: truth-log truth-log-five truth-log-family truth-log-mutants
truth-log-five truth-log-family truth-log-mutants: linux-prof
truth-log-five:
	$(Q)$(MAKE) -s --no-print-directory $(PROF_LOG_FIVE:%=$(PROF_LOG_B)/%.facts)
	$(Q)echo 'periods: $(shell sed -n '/ = /s/folder = .*//; / = /p' $(PROF_TRUTH)/log_five.conf | paste -sd,)'
	$(Q)failed=0; $(foreach r,$(PROF_LOG_FIVE),{ $(call prof_log_judge,$(r),$(PROF_LOG_LEAST)); } || failed=1; ) [ $$failed = 0 ]
truth-log-family:
	$(Q)$(MAKE) -s --no-print-directory $(PROF_LOG_FAMILY:%=$(PROF_LOG_B)/%.facts)
	$(Q)failed=0; $(foreach r,$(PROF_LOG_FAMILY),{ $(call prof_log_judge,$(r)); } || failed=1; ) \
	awk -v least=200 -f $(PROF_TRUTH)/log_sums.awk $(PROF_LOG_FAMILY:%=$(PROF_LOG_B)/%.facts) || failed=1; [ $$failed = 0 ]
# Whether the judges see what is wrong.
truth-log-mutants: | truth-log-five truth-log-family
	$(Q)$(PROF_TRUTH)/log_mutants.sh $(PROF_LOG_B)/five/process-1-soc-sim.facts $(PROF_LOG_B)/five/process-1-soc-sim/printed-*.csv \
		$(PROF_LOG_FAMILY:%=$(PROF_LOG_B)/%.facts)
truth-log: truth-log-five truth-log-family truth-log-mutants ## Compare the log of prof-daemon with the trace of the same run
