# SPDX-License-Identifier: Apache-2.0
# `make linux`: Linux 6.1 with programs for the machine, all in build/linux/.
#
# Kernel: Debian's linux-source-6.1 as RV64IMAC with DWARF (kernel.fragment, and patches/,
# each with its reason). musl, busybox and iperf3: source packages from apt's configured
# mirror, verified, kept in build/linux/download/. Everything is static, soft-float (lp64)
# and has DWARF; the copies that the machine loads are stripped.
#
# The machine loads three ELF files; in build/linux:
#     soc-model --ram 64M ../target/firmware.elf vmlinux SCENARIO.elf
# vmlinux has the physical addresses of RAM. SCENARIO.elf holds the device tree, with the
# kernel's command line, and the initramfs. A changed program or script therefore rebuilds
# neither kernel nor library. SCENARIO.lst is the list for tr-match.
#
# Builds are reproducible: they contain no time, user or path of this machine.

LINUX := sim/target/linux
LINUX_B := build/linux
LINUX_ABS := $(CURDIR)/$(LINUX_B)
LINUX_CROSS := riscv64-linux-gnu-
LINUX_JOBS = $(shell nproc)
LINUX_PACKAGE := /usr/src/linux-source-6.1.tar.xz
KERNEL := $(LINUX_B)/source/linux-6.1
MUSL := $(LINUX_B)/source/musl-1.2.3
BUSYBOX := $(LINUX_B)/source/busybox-1.35.0
IPERF := $(LINUX_B)/source/iperf-3.9
SYSROOT := $(LINUX_B)/sysroot

# Other build systems must not inherit the flags of this make.
LINUX_ENV := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL LC_ALL=C SOURCE_DATE_EPOCH=0
# The last match applies.
LINUX_PREFIX_MAP := -fdebug-prefix-map=$(CURDIR)=. -fdebug-prefix-map=$(LINUX_ABS)/source=.

# $(call linux_text,FILE,TEXT): a file that is rewritten when TEXT has changed.
define linux_text
$(LINUX_B)/$(1): FORCE
	@mkdir -p $$(@D); printf '%b' '$(2)\n' | cmp -s - $$@ || printf '%b' '$(2)\n' > $$@
endef
# Results do not depend on the folder: a copy of it is not rebuilt.
linux_anywhere = $(subst $(CURDIR),.,$(1))
# $(call linux_log,COMMAND,LOG): runs COMMAND, without output unless it fails.
linux_log = { $(1); } >> $(2) 2>&1 || { tail -n 20 $(2) >&2; exit 1; }

# The folder is shared: a second make waits, and then finds everything built.
.PHONY: linux linux-files
linux: $(TARGET_B)/firmware.elf ## Build Linux 6.1 and programs for it in build/linux/ (10 minutes the first time)
	$(Q)mkdir -p $(LINUX_B); exec 9> $(LINUX_B)/.lock; \
	flock -n 9 || { echo '$(LINUX_B): waiting for another make' >&2; flock 9; }; \
	$(MAKE) --no-print-directory linux-files 9>&-

# --- sources

SHA256_musl_1.2.3.orig.tar.gz := 7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4
SHA256_busybox_1.35.0.orig.tar.bz2 := faeeb244c35a348a334f4a59e44626ee870fb07b6884d68c10ae8bc19f83a694
SHA256_iperf3_3.9.orig.tar.gz := 24b63a26382325f759f11d421779a937b63ca1bc17c44587d2fcfedab60ac038

# Tries the mirrors of apt in turn; apt's helper checks the hash.
$(LINUX_B)/download/%:
	$(call say,FETCH,$*)
	$(Q)mkdir -p $(@D); package=$*; package=$${package%%_*}; rm -f $@.log; \
	for uri in $$(apt-get indextargets --format '$$(REPO_URI)' 'Created-By: Packages' | sort -u); do \
		/usr/lib/apt/apt-helper -qq -o Acquire::Retries=5 -o APT::Sandbox::User= download-file \
			"$${uri%/}/pool/main/$${package:0:1}/$$package/$*" $@.new SHA256:$(SHA256_$*) \
			2>> $@.log && mv $@.new $@ && rm $@.log && exit 0; \
	done; \
	cat $@.log >&2; echo 'no mirror of apt has $*' >&2; exit 1
.PRECIOUS: $(LINUX_B)/download/%

$(LINUX_PACKAGE):
	@echo '$@ is missing: make deps' >&2; exit 1

$(KERNEL)/.unpacked: $(LINUX_PACKAGE)
$(MUSL)/.unpacked: $(LINUX_B)/download/musl_1.2.3.orig.tar.gz
$(BUSYBOX)/.unpacked: $(LINUX_B)/download/busybox_1.35.0.orig.tar.bz2
$(IPERF)/.unpacked: $(LINUX_B)/download/iperf3_3.9.orig.tar.gz
$(foreach s,$(KERNEL) $(MUSL) $(IPERF),$(eval $(s)/.unpacked: $(sort $(wildcard $(LINUX)/patches/$(notdir $(s))/*.patch))))
$(LINUX_B)/source/%/.unpacked:
	$(call say,UNPACK,$<)
	$(Q)rm -rf $(@D); mkdir -p $(@D)
	$(Q)tar -xf $< -C $(@D) --strip-components=1
	$(Q)for p in $(filter %.patch,$^); do patch -s -d $(@D) -p1 < $$p; done
	$(Q)touch $@

# --- kernel

KERNEL_MAKE := $(LINUX_ENV) KBUILD_BUILD_TIMESTAMP="1970-01-01 00:00:00 UTC" \
	KBUILD_BUILD_USER=user KBUILD_BUILD_HOST=host KBUILD_BUILD_VERSION=1 \
	make -s -C $(KERNEL) ARCH=riscv CROSS_COMPILE=$(LINUX_CROSS) \
	KCFLAGS="$(LINUX_PREFIX_MAP)" KAFLAGS="$(LINUX_PREFIX_MAP)"

$(eval $(call linux_text,kernel.flags,$(call linux_anywhere,$(KERNEL_MAKE))))
$(KERNEL)/.config: $(LINUX)/kernel.fragment $(KERNEL)/.unpacked $(LINUX_B)/kernel.flags
	$(call say,CONFIG,$@)
	$(Q)$(call linux_log,$(KERNEL_MAKE) KCONFIG_ALLCONFIG=$(CURDIR)/$< allnoconfig,$(KERNEL)/.log)
	$(Q)touch $@
$(KERNEL)/.built: $(KERNEL)/.config
	$(call say,KERNEL,"$(KERNEL)/vmlinux (some minutes)")
	$(Q)$(call linux_log,$(KERNEL_MAKE) -j$(LINUX_JOBS) vmlinux headers,$(KERNEL)/.log)
	$(Q)touch $@
$(LINUX_B)/vmlinux: $(KERNEL)/.built
	$(Q)cp $(KERNEL)/vmlinux $@
$(LINUX_B)/vdso.so.dbg: $(KERNEL)/.built
	$(Q)cp $(KERNEL)/arch/riscv/kernel/vdso/vdso.so.dbg $@

# --- musl, and a compiler for programs that use it

LINUX_ARCH := -march=rv64imac_zicsr_zifencei -mabi=lp64
LINUX_CFLAGS := -O2 -g $(LINUX_PREFIX_MAP)
# The libgcc of Debian's cross compiler for Linux requires F and D; that of the bare-metal
# compiler does not.
LINUX_LIBGCC = $(shell $(TARGET_CC) -march=rv64imac -mabi=lp64 -print-libgcc-file-name)
MUSL_CC := $(LINUX_CROSS)gcc $(LINUX_ARCH) -specs=$(LINUX_ABS)/musl.specs -static -no-pie -fno-pie

$(eval $(call linux_text,musl.flags,$(call linux_anywhere,$(LINUX_ARCH) $(LINUX_CFLAGS))))
$(SYSROOT)/.musl: $(MUSL)/.unpacked $(LINUX_B)/musl.flags
	$(call say,MUSL,$(SYSROOT))
	$(Q)rm -rf $(SYSROOT)
	$(Q)$(call linux_log,cd $(MUSL) && $(LINUX_ENV) CC="$(LINUX_CROSS)gcc $(LINUX_ARCH)" \
		CROSS_COMPILE=$(LINUX_CROSS) LIBCC=$(LINUX_LIBGCC) CFLAGS="$(LINUX_CFLAGS)" ./configure \
		--target=riscv64 --disable-shared --disable-wrapper --prefix=/,$(LINUX_ABS)/musl.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -s -C $(MUSL) -j$(LINUX_JOBS) DESTDIR=$(LINUX_ABS)/sysroot \
		install,$(LINUX_B)/musl.log)
	$(Q)touch $@
$(SYSROOT)/.headers: $(SYSROOT)/.musl $(KERNEL)/.built
	$(Q)cp -rp $(KERNEL)/usr/include/{asm,asm-generic,linux,mtd} $(SYSROOT)/include/
	$(Q)touch $@

MUSL_SPECS = *cc1:\n-nostdinc -isystem $(LINUX_ABS)/sysroot/include -isystem \
	include%s\n\n*startfile:\n$(LINUX_ABS)/sysroot/lib/crt1.o $(LINUX_ABS)/sysroot/lib/crti.o\n\n*endfile:\n\
	$(LINUX_ABS)/sysroot/lib/crtn.o\n\n*libgcc:\n$(LINUX_LIBGCC)\n\n*link_libgcc:\n\
	-L$(LINUX_ABS)/sysroot/lib\n\n*lib:\n-lc\n
$(eval $(call linux_text,musl.specs,$$(MUSL_SPECS)))
$(eval $(call linux_text,specs.flags,$$(call linux_anywhere,$$(MUSL_SPECS))))
$(eval $(call linux_text,programs.flags,$(call linux_anywhere,$(MUSL_CC) $(LINUX_CFLAGS))))
MUSL_READY := $(SYSROOT)/.headers $(LINUX_B)/specs.flags $(LINUX_B)/programs.flags | $(LINUX_B)/musl.specs

# --- busybox and iperf3

# A line of the fragment replaces that of the same option in allnoconfig.
$(BUSYBOX)/.config: $(LINUX)/busybox.fragment $(BUSYBOX)/.unpacked
	$(call say,CONFIG,$@)
	$(Q)$(call linux_log,$(LINUX_ENV) make -s -C $(BUSYBOX) allnoconfig,$(BUSYBOX)/.log)
	$(Q)mv $@ $@.all; awk 'match($$0, /CONFIG_[A-Za-z0-9_]+/) { \
		option = substr($$0, RSTART, RLENGTH); if (!(option in seen)) print; seen[option] = 1 }' \
		$< $@.all > $@.new
	$(Q)mv $@.new $@; $(call linux_log,{ yes '' || true; } | \
		$(LINUX_ENV) make -s -C $(BUSYBOX) oldconfig,$(BUSYBOX)/.log)
$(LINUX_B)/busybox: $(BUSYBOX)/.config $(MUSL_READY)
	$(call say,BUSYBOX,$@)
	$(Q)$(call linux_log,$(LINUX_ENV) make -s -C $(BUSYBOX) -j$(LINUX_JOBS) HOSTCC=$(CC) \
		AR=$(LINUX_CROSS)ar STRIP=true KCONFIG_NOTIMESTAMP=1 CC="$(MUSL_CC) $(LINUX_CFLAGS)" \
		busybox_unstripped,$(BUSYBOX)/.log)
	$(Q)cp $(BUSYBOX)/busybox_unstripped $@

# iperf3's config.sub is older than RISC-V, so the result is given.
$(LINUX_B)/iperf3: $(IPERF)/.unpacked $(MUSL_READY)
	$(call say,IPERF3,$@)
	$(Q)$(call linux_log,cd $(IPERF) && $(LINUX_ENV) ac_cv_host=riscv64-unknown-linux-musl CC="$(MUSL_CC)" \
		AR=$(LINUX_CROSS)ar RANLIB=$(LINUX_CROSS)ranlib CFLAGS="$(LINUX_CFLAGS)" ./configure \
		--host=riscv64-linux-musl --disable-shared --without-openssl --without-sctp,$(LINUX_ABS)/iperf3.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(IPERF)/src clean,$(LINUX_B)/iperf3.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(IPERF)/src -j$(LINUX_JOBS) iperf3,$(LINUX_B)/iperf3.log)
	$(Q)cp $(IPERF)/src/iperf3 $@

include $(LINUX)/scenarios.mk
