# SPDX-License-Identifier: Apache-2.0
# `make linux-daemon`: the programs of `make linux-prof` with prof-daemon, on the kernel that
# has the sampler, in build/linux-prof/:
#     soc-sim --isa rv64gc --ram 64M --dtb PROGRAM-MODE-1.dtb --initrd PROGRAM-daemon.cpio \
#         ../target/firmware.elf kernel/vmlinux
#     soc-sim --isa rv64gc --harts 2 --ram 64M --dtb PROGRAM-MODE-2.dtb \
#         --initrd PROGRAM-daemon.cpio ../target/firmware-smp.elf kernel-smp/vmlinux
# MODE is that of profiler.sh: ticked, sampled-process, sampled-global, all-process or
# all-global; or base, without the daemon. PROGRAM-MODE-HARTS.lst is the list for tr-match.
#
# The program `together` runs five of the others at the same time.

DAEMON_MODES := base ticked sampled-process sampled-global all-process all-global
# Where the kernel puts a stack decides which of its pages have the DTLB entry of a page of
# data, and so how many cycles a program loses in MemDtlb. Several programs on two harts may be
# attached to after their start, and with the heap next to the program there is no room for
# stubs then.
daemon_boot = quiet $(if $(DAEMON_RUNS_$(1)),,norandmaps )console=hvc0
# The thesis's periods are divided by this: a run of 100 M cycles, 31 ms, is then 3 s.
DAEMON_TIMES := 100
DAEMON_TOGETHER := minisat kernels-O2 denoise x264 multiply
DAEMON_TOP_1 := '../target/firmware.elf firmware' 'kernel/vmlinux kernel' 'kernel/vdso.so.dbg user'
DAEMON_TOP_2 := '../target/firmware-smp.elf firmware' 'kernel-smp/vmlinux kernel' 'kernel-smp/vdso.so.dbg user'
DAEMON_TOOLS := prof-daemon

.PHONY: linux-daemon linux-daemon-files
linux-daemon: linux-prof ## Build the runs of the run-time profiler's daemon in build/linux-prof/
	$(call linux_locked,$(PROFILED_B),linux-daemon-files)

$(PROFILED_B)/tools/together: $(PROFILED_OURS)/together.c $(PROFILED_B)/programs.flags $(GC_MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROFILED_CFLAGS) -static -o $@ $<

# What each runs, and what the machine loads besides.
DAEMON_RUNS_together := $(DAEMON_TOGETHER)
DAEMON_TOOLS_together := together
daemon_programs = $(or $(DAEMON_RUNS_$(1)),$(1))
daemon_inputs = $(foreach p,$(call daemon_programs,$(1)),$(PROFILED_INPUT_$(p)))
# The program's arguments: a run is to have 100 M cycles and more.
DAEMON_ARGUMENTS_multiply := 1500
$(foreach l,O2 O3 Os,$(eval DAEMON_ARGUMENTS_kernels-$(l) := 30))
DAEMON_ARGUMENTS_djpeg := -scale 2/1
DAEMON_SCRIPT_base := normal
# Calls are counted in these modes alone.
daemon_stubs = $(if $(filter all-%,$(3)), stubs=prof/$(1)/bin/$(2))
# Its programs share one folder, and so the indexes of all programs.
$(PROFILED_B)/prof/.together: $(DAEMON_TOGETHER:%=$(PROFILED_B)/root/.%) $(B)/bin/prof-extract
	$(call say,PROF,together)
	$(Q)rm -rf $(@D)/together; mkdir -p $(@D)/together
	$(Q)for program in $(DAEMON_TOGETHER); do \
		$(B)/bin/prof-extract -o $(@D)/together --root $(PROFILED_B)/root $(PROFILED_B)/root/bin/$$program; \
	done
	$(Q)touch $@

# $(call daemon_cpio,PROGRAM)
define daemon_cpio
$(PROFILED_B)/$(1)-daemon.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,measure hand_over $(DAEMON_TOOLS_$(1)) $(DAEMON_TOOLS)) \
		$(PROFILED_B)/prof/.$(1) \
		$(addprefix $(PROFILED_B)/inputs/,$(call daemon_inputs,$(1))) $(PROFILED)/profiler.sh $(LINUX)/daemon.mk
	$$(call say,CPIO,$$@)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,measure hand_over $(DAEMON_TOOLS_$(1)) $(DAEMON_TOOLS)) \
		$(addprefix $(PROFILED_B)/root/bin/,$(call daemon_programs,$(1))) $(PROFILED)/profiler.sh \
		$(foreach i,$(call daemon_inputs,$(1)),/$(i)=$(PROFILED_B)/inputs/$(i)) \
		$$(call PROFILED_FOLDER_process,$(1)) > $$@
linux-daemon-files: $(PROFILED_B)/$(1)-daemon.cpio
endef
# $(call daemon_run,PROGRAM,MODE)
define daemon_run
$(PROFILED_B)/$(1)-$(2)-%.dtb: $(LINUX)/soc.dts sim/soc.h $(LINUX)/daemon.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$$* -DISA='"rv64imafdc"' -DBOOTARGS='"$(call daemon_boot,$(1)) -- $(strip /script $(1) $(or $(DAEMON_SCRIPT_$(2)),$(2)) $(DAEMON_TIMES) $(DAEMON_ARGUMENTS_$(1)))"' $$< | \
		dtc -q -O dtb -o $$@
$(PROFILED_B)/$(1)-$(2)-%.lst: $(LINUX)/daemon.mk
	$(Q)mkdir -p $$(@D)
	$(Q)printf '%s\n' $$(DAEMON_TOP_$$*) '../linux-gc/root/init user' '../linux/busybox user' 'tools/measure user' \
		'tools/hand_over user' $(DAEMON_TOOLS_$(1):%='tools/% user') $(DAEMON_TOOLS:%='bin/% user') \
		$(foreach p,$(call daemon_programs,$(1)),'programs/$(p) user$(call daemon_stubs,$(1),$(p),$(2))') > $$@
linux-daemon-files: $(foreach h,$(PROFILED_HARTS),$(PROFILED_B)/$(1)-$(2)-$(h).dtb $(PROFILED_B)/$(1)-$(2)-$(h).lst)
endef
DAEMON_PROGRAMS := $(PROFILED_MEASURED) together
$(foreach p,$(DAEMON_PROGRAMS),$(eval $(call daemon_cpio,$(p)))$(foreach m,$(DAEMON_MODES),$(eval $(call daemon_run,$(p),$(m)))))
