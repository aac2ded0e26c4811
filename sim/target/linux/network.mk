# SPDX-License-Identifier: Apache-2.0
# `make linux-net`: Linux with a driver of the network interface (driver/), in
# build/linux-net/; 6.1 with a byte loop in linux-net-bytes/, 6.1 that uses the copy unit in
# linux-net-copy/, 5.10 in linux-net-5.10/, each for several harts in linux-net*-smp/:
#     soc-sim --nic loopback --ram 64M --dtb frames-base.dtb --initrd frames.cpio \
#         ../target/firmware.elf vmlinux
#     soc-sim --harts 2 --nic loopback --ram 64M --dtb frames-base-2.dtb --initrd frames.cpio \
#         ../target/firmware-smp.elf ../linux-net-smp/vmlinux
# The programs are those of build/linux/, and those of network/. The kernels for several harts
# have the same initramfs; their device trees are SCRIPT-STEP-2.dtb, and SCRIPT-STEP-2-moved.dtb,
# with which hart 1 takes the interrupts of server and client.

NET := $(LINUX)/network
NET_B := build/linux-net
NET_KERNEL := $(NET_B)/source/linux-6.1
NET_DRIVER := $(addprefix $(LINUX)/driver/,soc_nic.c Kconfig Makefile)

.PHONY: linux-net linux-net-files linux-net-smp linux-net-smp-files
linux-net: linux linux-net-smp ## Build Linux 6.1 and 5.10 with a network driver in build/linux-net*/
	$(call linux_locked,$(NET_B),linux-net-files)
linux-net-smp: linux $(TARGET_B)/firmware-smp.elf
	$(call linux_locked,$(NET_B),linux-net-smp-files)

# --- kernels: 6.1; 6.1 with the byte loop of 5.10 in its user copies; 6.1 whose user copies
# use the copy unit (rtl/mem/copy.md) if there is one; 5.10, whose user copies FirePerf's case study
# found to be slow

NET_KERNELS := linux-6.1 linux-6.1-bytes linux-6.1-copy linux-5.10
net_folder = $(NET_B)$(patsubst -6.1%,%,$(1:linux%=%))
net_smp = $(call net_folder,$(1))-smp
NET_SMP_B := $(NET_B)-smp
NET_FRAGMENTS := $(LINUX)/kernel.fragment $(LINUX)/kernel-net.fragment
NET_FRAGMENTS_linux-net-5.10 := $(LINUX)/kernel-5.10.fragment
$(foreach k,$(NET_KERNELS),$(eval NET_FRAGMENTS_$(notdir $(call net_smp,$(k))) = \
	$(NET_FRAGMENTS_$(notdir $(call net_folder,$(k)))) $(LINUX)/kernel-smp.fragment))
LINUX_SOURCE_linux-6.1-bytes := $(LINUX_SOURCE_linux-6.1)
LINUX_SOURCE_linux-6.1-copy := $(LINUX_SOURCE_linux-6.1)

# $(call net_kernel,KERNEL,FOLDER,TARGET): the driver becomes a folder of the kernel's source.
define net_kernel
$(call linux_source,$(2),$(1),$(LINUX_SOURCE_$(1)))
$(call linux_kernel,$(2),$(1),$(NET_FRAGMENTS) $(NET_FRAGMENTS_$(notdir $(2))))
$(2)/source/$(1)/.driver: $(NET_DRIVER) $(2)/source/$(1)/.unpacked
	$(Q)to=$$(@D)/drivers/net/ethernet; mkdir -p $$$$to/soc; cp $(NET_DRIVER) $$$$to/soc; \
	grep -q soc/Kconfig $$$$to/Kconfig || { echo 'source "drivers/net/ethernet/soc/Kconfig"' >> $$$$to/Kconfig; \
		echo 'obj-$$$$(CONFIG_SOC_NIC) += soc/' >> $$$$to/Makefile; }
	$(Q)touch $$@
$(2)/source/$(1)/.config: $(2)/source/$(1)/.driver
$(3): $(2)/vmlinux $(2)/vdso.so.dbg
endef
$(foreach k,$(NET_KERNELS),$(eval $(call net_kernel,$(k),$(call net_folder,$(k)),linux-net-files)) \
	$(eval $(call net_kernel,$(k),$(call net_smp,$(k)),linux-net-smp-files)))

# --- programs

$(NET_B)/frames $(NET_B)/copies: $(NET_B)/%: $(NET)/%.c $(MUSL_READY)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(TARGET_CFLAGS) -Wl,--build-id=sha1 -o $@ $<

# strace, as iperf3, from Debian's source package, for FirePerf's comparison with tracing in
# the target.
SHA256_strace_6.1.orig.tar.xz := 2579e9cec37dbb786f6ea0bebd15f40dd561ef2bde2a2a2ecdce5963b01859fd
STRACE := $(NET_B)/source/strace-6.1
$(eval $(call linux_source,$(NET_B),strace-6.1,$(LINUX_B)/download/strace_6.1.orig.tar.xz))
$(NET_B)/strace: $(STRACE)/.unpacked $(MUSL_READY)
	$(call say,STRACE,$@)
	$(Q)$(call linux_log,cd $(STRACE) && $(LINUX_ENV) CC="$(MUSL_CC)" CC_FOR_BUILD=$(CC) CFLAGS="$(LINUX_CFLAGS)" \
		./configure --host=riscv64-linux-musl --enable-mpers=no --enable-bundled=yes --disable-gcc-Werror,$(CURDIR)/$(NET_B)/strace.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(STRACE)/src clean,$(NET_B)/strace.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(STRACE)/src -j$(LINUX_JOBS) all,$(NET_B)/strace.log)
	$(Q)cp $(STRACE)/src/strace $@

$(NET_B)/stripped/%: $(NET_B)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<

# --- initramfs SCRIPT.cpio: FILES are in /bin, and the script is /script

NET_FILES_frames := $(LINUX_B)/stripped/busybox $(NET_B)/stripped/frames
NET_FILES_copies := $(LINUX_B)/stripped/busybox $(NET_B)/stripped/copies
NET_FILES_server := $(LINUX_B)/stripped/busybox $(LINUX_B)/stripped/iperf3
NET_FILES_client := $(NET_FILES_server)
NET_FILES_traced := $(NET_FILES_server) $(NET_B)/stripped/strace
NET_FILES_iperf3 := $(NET_FILES_server)

define net_cpio
$(call linux_text,$(NET_B)/$(1).words,$(NET_FILES_$(1)))
$(NET_B)/$(1).cpio: $(LINUX)/initramfs.sh $(LINUX_B)/stripped/init $(NET_FILES_$(1)) $(LINUX)/scenarios/$(1).sh \
		$(NET_B)/$(1).words | $(NET_KERNEL)/.built
	$(Q)$(LINUX)/initramfs.sh $(NET_KERNEL)/usr/gen_init_cpio $(LINUX_B)/stripped/init $(NET_FILES_$(1)) $(LINUX)/scenarios/$(1).sh > $$@
linux-net-files: $(NET_B)/$(1).cpio
endef
$(foreach s,frames copies server client traced iperf3,$(eval $(call net_cpio,$(s))))
linux-net-smp-files: $(foreach s,frames server client iperf3,$(NET_B)/$(s).cpio)

# --- device trees, with the parameters of the driver and the arguments of the script. The
# steps of the case study, one added after the other: SCRIPT-STEP.dtb, and with two harts
# SCRIPT-STEP-2.dtb. Those of a board with other frames: SCRIPT-MTU.dtb.

NET_STEPS := base csum napi jumbo
NET_DRIVER_base :=
NET_DRIVER_csum := soc_nic.csum=1
NET_DRIVER_napi := $(NET_DRIVER_csum) soc_nic.napi=1
NET_DRIVER_jumbo := $(NET_DRIVER_napi) soc_nic.jumbo=1
NET_ARGS_frames := 300
NET_ARGS_copies := 2
NET_ARGS_client := 16M
# With two harts a cycle takes twice as long to simulate. The rate of the first 8 MiB is that of
# 16 MiB within 2 %, in all runs of fireperf.mk.
NET_ARGS_client_2 := 8M
NET_MTUS := 1500 3000
NET_ARGS_traced := 8M
NET_ARGS_loopback := 8M

NET_ARGS_iperf3 := 1M

# $(call net_tree,NAME,PARAMETERS,ARGUMENTS,DEFINES,TARGET)
define net_tree
$(call linux_text,$(NET_B)/$(1).words,$(2): $(3))
$(NET_B)/$(1).dtb: $(LINUX)/soc.dts sim/soc.h $(NET_B)/$(1).words
	$(Q)$(LINUX_CPP) $(4) -DISA='"rv64imac"' -DBOOTARGS='"quiet console=hvc0 $(2) -- /script $(3)"' $$< | \
		dtc -q -O dtb -o $$@
$(or $(5),linux-net-files): $(NET_B)/$(1).dtb
endef
$(foreach s,frames server client iperf3,$(foreach t,$(NET_STEPS),\
	$(eval $(call net_tree,$(s)-$(t),$(NET_DRIVER_$(t)),$(NET_ARGS_$(s)),-DHAS_NIC)) \
	$(eval $(call net_tree,$(s)-$(t)-2,$(NET_DRIVER_$(t)),$(or $(NET_ARGS_$(s)_2),$(NET_ARGS_$(s))),-DHAS_NIC -DHARTS=2,linux-net-smp-files))))
$(foreach s,server client,$(foreach t,$(NET_STEPS),\
	$(eval $(call net_tree,$(s)-$(t)-2-moved,$(NET_DRIVER_$(t)),--interrupts 2 $(or $(NET_ARGS_$(s)_2),$(NET_ARGS_$(s))),-DHAS_NIC -DHARTS=2,linux-net-smp-files))))
$(eval $(call net_tree,iperf3-$(NET_ARGS_loopback)-2,,$(NET_ARGS_loopback),-DHARTS=2,linux-net-smp-files))
$(eval $(call net_tree,client-short,,4M,-DHAS_NIC))
$(eval $(call net_tree,client-short-2,,1M,-DHAS_NIC -DHARTS=2,linux-net-smp-files))
$(foreach m,$(NET_MTUS),$(eval $(call net_tree,server-$(m),$(NET_DRIVER_jumbo),$(m),-DHAS_NIC)) \
	$(eval $(call net_tree,client-$(m),$(NET_DRIVER_jumbo),8M $(m),-DHAS_NIC)))
$(eval $(call net_tree,traced-$(NET_ARGS_traced),,$(NET_ARGS_traced)))
$(eval $(call net_tree,copies-$(NET_ARGS_copies),,$(NET_ARGS_copies)))
linux-net-files: $(NET_B)/bins.lst

# For tr-match, relative to build/linux-net.
$(NET_B)/bins.lst: $(LINUX)/network.mk
	$(Q)mkdir -p $(@D); printf '%s\n' '../target/firmware.elf firmware' 'vmlinux kernel' 'vdso.so.dbg user' \
		'../linux/init user' '../linux/busybox user' '../linux/iperf3 user' 'frames user' 'copies user' 'strace user' > $@
