# SPDX-License-Identifier: Apache-2.0
# `make linux-perturb`: programs that are run without and with a tool that measures them
# (perturb/), for pipelines/perturb.mk, in build/linux-perturb/, with the kernel of
# build/linux-gc/:
#     soc-sim --isa rv64gc --ram 64M --dtb TOOL-WAY.dtb --initrd TOOL-WAY.cpio \
#         ../target/firmware.elf ../linux-gc/vmlinux
# TOOL is gprof, go or strace, and WAY is without or with; calls is strace on calls.c.

PERTURB := $(LINUX)/perturb
PERTURB_B := build/linux-perturb
PERTURB_TOOLS := gprof go strace
PERTURB_WAYS := without with
PERTURB_RUNS := $(foreach t,$(PERTURB_TOOLS) calls,$(PERTURB_WAYS:%=$(t)-%))
# How much the programs do: gprof takes 100 samples per second, that is one in 32 M cycles.
PERTURB_ROUNDS_gprof := 100
PERTURB_ROUNDS_go := 100

.PHONY: linux-perturb linux-perturb-files
linux-perturb: linux linux-gc
	$(call linux_locked,$(PERTURB_B),linux-perturb-files)

# --- programs; gprof's is compiled for it

$(eval $(call linux_text,$(PERTURB_B)/programs.flags,$(call linux_anywhere,$(GC_CFLAGS) $(TARGET_CFLAGS) $(GC_LDFLAGS))))
PERTURB_CFLAGS = $(GC_CFLAGS) $(TARGET_CFLAGS) $(GC_LDFLAGS)
$(PERTURB_B)/with/words: PERTURB_CFLAGS += -pg
$(PERTURB_B)/without/words $(PERTURB_B)/with/words: $(PERTURB)/words.c $(LINUX)/programs/check.h $(PERTURB_B)/programs.flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC) $(PERTURB_CFLAGS) -static -no-pie -o $@ $<
$(PERTURB_B)/measure $(PERTURB_B)/calls: $(PERTURB_B)/%: $(PERTURB)/%.c $(LINUX)/programs/check.h $(PERTURB_B)/programs.flags $(GC_MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PERTURB_CFLAGS) -static -o $@ $<
$(PERTURB_B)/requests: $(PERTURB)/requests.go
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_GO) -o $@ $<
$(PERTURB_B)/stripped/%: $(PERTURB_B)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
.PRECIOUS: $(PERTURB_B)/stripped/%

# --- initramfs, device tree, and list for tr-match, relative to build/linux-perturb

PERTURB_PROGRAMS = measure $(PERTURB_PROGRAMS_$(word 1,$(subst -, ,$(1)))) $(PERTURB_PROGRAMS_$(1))
PERTURB_PROGRAMS_gprof-without := without/words
PERTURB_PROGRAMS_gprof-with := with/words
PERTURB_PROGRAMS_go := requests
PERTURB_PROGRAMS_calls := calls
PERTURB_OTHERS_strace-with := $(NET_B)/stripped/strace
PERTURB_OTHERS_calls-with := $(NET_B)/stripped/strace
PERTURB_OTHERS = $(LINUX_B)/stripped/busybox $(PERTURB_OTHERS_$(1))

# $(call perturb_run,RUN,TOOL,WAY)
define perturb_run
$(call linux_text,$(PERTURB_B)/$(1).words,$(call PERTURB_PROGRAMS,$(1)) $(call PERTURB_OTHERS,$(1)): $(2) $(3) $(PERTURB_ROUNDS_$(2)))
$(PERTURB_B)/$(1).cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(addprefix $(PERTURB_B)/stripped/,$(call PERTURB_PROGRAMS,$(1))) \
		$(call PERTURB_OTHERS,$(1)) $(addprefix $(PERTURB)/,perturb.sh commands.sh) $(PERTURB_B)/$(1).words
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(addprefix $(PERTURB_B)/stripped/,$(call PERTURB_PROGRAMS,$(1))) \
		$(call PERTURB_OTHERS,$(1)) $(PERTURB)/perturb.sh /commands.sh=$(PERTURB)/commands.sh > $$@
$(PERTURB_B)/$(1).dtb: $(LINUX)/soc.dts sim/soc.h $(PERTURB_B)/$(1).words
	$(Q)$(LINUX_CPP) -DISA='"rv64imafdc"' -DBOOTARGS='"quiet console=hvc0 -- /script $(2) $(3) $(PERTURB_ROUNDS_$(2))"' $$< | \
		dtc -q -O dtb -o $$@
$(PERTURB_B)/$(1).lst: $(PERTURB_B)/$(1).words
	$(Q)printf '%s\n' '../target/firmware.elf firmware' '../linux-gc/vmlinux kernel' '../linux-gc/vdso.so.dbg user' \
		'../linux-gc/root/init user' '../linux/busybox user' $(patsubst %,'% user',$(call PERTURB_PROGRAMS,$(1)) \
		$(patsubst $(NET_B)/stripped/%,../linux-net/%,$(PERTURB_OTHERS_$(1)))) > $$@
linux-perturb-files: $(addprefix $(PERTURB_B)/$(1).,cpio dtb lst)
endef
$(foreach t,$(PERTURB_TOOLS) calls,$(foreach w,$(PERTURB_WAYS),$(eval $(call perturb_run,$(t)-$(w),$(t),$(w)))))
