# SPDX-License-Identifier: Apache-2.0
# Programs, inputs and initramfs for `make thesis-5.4`, in build/linux-prof/accuracy/: programs of
# `make linux-prof` with more to do, under the daemon, or compiled for gprof; see accuracy/accuracy.sh.
# A run is PROGRAM-HOW-LENGTH; LENGTH is how many seconds of the target the program needs at least.

ACCURACY := $(LINUX)/accuracy
ACCURACY_B := $(PROFILED_B)/accuracy
ACCURACY_PROGRAMS := kernels-O2 minisat x264
ACCURACY_LENGTHS := 12 4 2

# What LENGTH means to a program: rounds; variables of a formula; frames of a clip.
ACCURACY_WORK_kernels-O2-12 := 11000
ACCURACY_WORK_kernels-O2-4 := 3700
ACCURACY_WORK_kernels-O2-2 := 1850
ACCURACY_WORK_minisat-12 := 302
ACCURACY_WORK_minisat-4 := 290
ACCURACY_WORK_minisat-2 := 260
ACCURACY_WORK_x264-12 := 840
ACCURACY_WORK_x264-4 := 280
ACCURACY_WORK_x264-2 := 140
# Two functions that alternate within a tick, 4 ms.
ACCURACY_WORK_alternate-4 := 4000 4
ACCURACY_INPUT_minisat := formula
ACCURACY_INPUT_x264 := clip
ACCURACY_ARGUMENTS = $(if $(ACCURACY_INPUT_$(1)),,$(ACCURACY_WORK_$(1)-$(2)))

$(foreach p,minisat x264,$(foreach l,$(ACCURACY_LENGTHS),$(eval $(call linux_text,$(ACCURACY_B)/$(p)-$(l).words,$(ACCURACY_WORK_$(p)-$(l))))))
$(ACCURACY_B)/%.input: $(PROFILED_B)/host/inputs $(ACCURACY_B)/%.words
	$(Q)$< $(ACCURACY_INPUT_$(firstword $(subst -, ,$*))) $(ACCURACY_WORK_$*) > $@

$(PROFILED_B)/root/bin/alternate: $(ACCURACY)/alternate.c $(PROFILED_B)/programs.flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC) $(PROFILED_CFLAGS) -O2 $(PROFILED_LDFLAGS) -o $@ $<; touch -d @0 $@
$(PROFILED_B)/root/.alternate: $(PROFILED_B)/root/bin/alternate
	$(Q)touch $@
$(ACCURACY_B)/tools/%: $(ACCURACY)/%.c $(PROFILED_B)/programs.flags $(GC_MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROFILED_CFLAGS) -static -s -o $@ $<

# Of a run under the daemon, and of one for gprof: the program, and what the script needs.
ACCURACY_ROOT_daemon = $(PROFILED_B)/root/bin/$(1)
ACCURACY_ROOT_gprof = $(PROFILED_B)/root/gprof/$(1)
ACCURACY_STAMP_daemon = $(PROFILED_B)/prof/.$(1)
ACCURACY_STAMP_gprof = $(PROFILED_B)/root/.$(1)-gprof
ACCURACY_TOOLS_daemon := $(ACCURACY_B)/tools/log_end $(addprefix $(PROFILED_B)/stripped/,prof-daemon prof-log)
ACCURACY_TOOLS_gprof := $(ACCURACY_B)/tools/print_histogram
ACCURACY_FOLDER_daemon = $(PROFILED_FOLDER_process)

# $(call accuracy_files,PROGRAM,LENGTH,daemon|gprof)
define accuracy_files
$(ACCURACY_B)/$(1)-$(3)-$(2).cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(ACCURACY_TOOLS_$(3)) \
		$(call ACCURACY_STAMP_$(3),$(1)) $(if $(ACCURACY_INPUT_$(1)),$(ACCURACY_B)/$(1)-$(2).input) $(ACCURACY)/accuracy.sh
	$$(call say,CPIO,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(ACCURACY_TOOLS_$(3)) \
		$(call ACCURACY_ROOT_$(3),$(1)) $(ACCURACY)/accuracy.sh \
		$(if $(ACCURACY_INPUT_$(1)),/$(ACCURACY_INPUT_$(1))=$(ACCURACY_B)/$(1)-$(2).input) $$(call ACCURACY_FOLDER_$(3),$(1)) > $$@
endef
$(foreach p,$(ACCURACY_PROGRAMS),$(foreach l,$(ACCURACY_LENGTHS),$(eval $(call accuracy_files,$(p),$(l),daemon))))
$(foreach p,$(ACCURACY_PROGRAMS),$(eval $(call accuracy_files,$(p),12,gprof)))
$(eval $(call accuracy_files,alternate,4,daemon))

# $(call accuracy_tree,PROGRAM,HOW,LENGTH)
define accuracy_tree
$(call linux_text,$(ACCURACY_B)/$(1)-$(2)-$(3).words,$(1) $(2) $(call ACCURACY_ARGUMENTS,$(1),$(3)))
$(ACCURACY_B)/$(1)-$(2)-$(3).dtb: $(LINUX)/soc.dts sim/soc.h $(ACCURACY_B)/$(1)-$(2)-$(3).words
	$(Q)$(LINUX_CPP) -DHARTS=1 -DISA='"rv64imafdc"' \
		-DBOOTARGS='"quiet console=hvc0 -- /script $(1) $(2) $(call ACCURACY_ARGUMENTS,$(1),$(3))"' $$< | dtc -q -O dtb -o $$@
endef
