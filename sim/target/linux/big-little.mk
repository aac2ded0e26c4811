# SPDX-License-Identifier: Apache-2.0
# `make linux-big-little`: programs for pipelines/big-little.mk, in build/linux-big-little/, with
# the kernel of build/linux-smp/:
#     soc-sim --core inorder,ooo --harts 2 --ram 64M --dtb PROGRAM-PLACE.dtb --initrd all.cpio \
#         ../target/firmware-smp.elf ../linux-smp/vmlinux
# PROGRAM is a benchmark of sim/target/benchmarks/, and PLACE the hart to which it is pinned:
# inorder, ooo, or free. all-together has all of them at the same time. moves-BYTES moves itself.

BIG_LITTLE := $(LINUX)/big-little
BIG_LITTLE_B := build/linux-big-little
# Programs like CoreMark and Dhrystone; branches that are not predictable; loads that miss.
BIG_LITTLE_PROGRAMS := list matrix states crc records bits search chase_l2 chase_dram
BIG_LITTLE_PLACES := inorder ooo free
BIG_LITTLE_RUNS := $(foreach p,$(BIG_LITTLE_PROGRAMS),$(BIG_LITTLE_PLACES:%=$(p)-%))
# How often each is started, and how often moves moves, between walks through so many bytes.
BIG_LITTLE_TIMES := 4
BIG_LITTLE_MOVES := 20
BIG_LITTLE_BYTES := 0 4096 16384

.PHONY: linux-big-little linux-big-little-files
linux-big-little: linux-smp-build
	$(call linux_locked,$(BIG_LITTLE_B),linux-big-little-files)

# So that what counts is below its function, and not in its place, until it returns.
BIG_LITTLE_CFLAGS := -fno-optimize-sibling-calls
$(eval $(call linux_text,$(BIG_LITTLE_B)/programs.flags,$(call linux_anywhere,$(MUSL_CC) $(LINUX_CFLAGS) $(BIG_LITTLE_CFLAGS))))
BIG_LITTLE_ALL := start moves $(BIG_LITTLE_PROGRAMS)
$(BIG_LITTLE_B)/start $(BIG_LITTLE_B)/moves: $(BIG_LITTLE_B)/%: $(BIG_LITTLE)/%.c $(LINUX)/programs/check.h
$(foreach p,$(BIG_LITTLE_PROGRAMS),$(eval $(BIG_LITTLE_B)/$(p): \
	$(patsubst %,$(TARGET)/benchmarks/%.c,$(p) $(EXTRA_$(p)) main) $(wildcard $(TARGET)/benchmarks/*.h $(TARGET)/programs/user.h)))
$(BIG_LITTLE_ALL:%=$(BIG_LITTLE_B)/%): $(BIG_LITTLE_B)/programs.flags $(MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(BIG_LITTLE_CFLAGS) $(TARGET_CFLAGS) -Wl,--build-id=sha1 -Wl,--fatal-warnings -o $@ $(filter %.c,$^)
$(BIG_LITTLE_B)/stripped/%: $(BIG_LITTLE_B)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
.PRECIOUS: $(BIG_LITTLE_B)/stripped/%

# --- initramfs; device tree and list for tr-match of each run, relative to build/linux-big-little

$(BIG_LITTLE_B)/all.cpio: $(LINUX)/initramfs.sh $(LINUX_B)/stripped/init $(BIG_LITTLE_ALL:%=$(BIG_LITTLE_B)/stripped/%) \
		$(LINUX)/big-little.mk | $(SMP_KERNEL)/.built
	$(call say,CPIO,$@)
	$(Q)$(LINUX)/initramfs.sh $(SMP_KERNEL)/usr/gen_init_cpio $(LINUX_B)/stripped/init \
		$(BIG_LITTLE_ALL:%=$(BIG_LITTLE_B)/stripped/%) > $@
# $(call big_little_run,RUN,PROGRAM,COMMAND)
define big_little_run
$(call linux_text,$(BIG_LITTLE_B)/$(1).words,$(3))
$(BIG_LITTLE_B)/$(1).dtb: $(LINUX)/soc.dts $(LINUX)/layout.h sim/soc.h $(BIG_LITTLE_B)/$(1).words
	$(Q)$(LINUX_CPP) -DHARTS=2 -DISA='"rv64imac"' -DBOOTARGS='"quiet console=hvc0 -- $(3)"' $$< | dtc -q -O dtb -o $$@
$(BIG_LITTLE_B)/$(1).lst: $(LINUX)/big-little.mk
	$(Q)mkdir -p $$(@D)
	$(Q)printf '%s\n' '../target/firmware-smp.elf firmware' '../linux-smp/vmlinux kernel' '../linux/init user' \
		$(patsubst %,'% user',$(2)) > $$@
linux-big-little-files: $(addprefix $(BIG_LITTLE_B)/$(1).,dtb lst)
endef
BIG_LITTLE_AT_inorder := 0
BIG_LITTLE_AT_ooo := 1
BIG_LITTLE_AT_free := any
$(foreach p,$(BIG_LITTLE_PROGRAMS),$(foreach a,$(BIG_LITTLE_PLACES),$(eval $(call big_little_run,$(p)-$(a),start $(p),$(strip \
	/bin/start $(BIG_LITTLE_AT_$(a)) $(BIG_LITTLE_TIMES) /bin/$(p))))))
$(eval $(call big_little_run,all-together,start $(BIG_LITTLE_PROGRAMS),/bin/start any $(BIG_LITTLE_TIMES) $(BIG_LITTLE_PROGRAMS:%=/bin/%)))
$(foreach b,$(BIG_LITTLE_BYTES),$(eval $(call big_little_run,moves-$(b),moves,/bin/moves $(BIG_LITTLE_MOVES) $(b))))
linux-big-little-files: $(BIG_LITTLE_B)/all.cpio
