# SPDX-License-Identifier: Apache-2.0
# `make linux`: Linux 6.1 with programs for the machine, all in build/linux/. gallery.mk has
# another kernel, with floating point, and other programs, in build/linux-gc/.
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
LINUX_CROSS := riscv64-linux-gnu-
LINUX_JOBS = $(shell nproc)
LINUX_PACKAGE := /usr/src/linux-source-6.1.tar.xz
KERNEL := $(LINUX_B)/source/linux-6.1
MUSL := $(LINUX_B)/source/musl-1.2.3
BUSYBOX := $(LINUX_B)/source/busybox-1.35.0
IPERF := $(LINUX_B)/source/iperf-3.9
SYSROOT := $(LINUX_B)/sysroot
# What the kernel does with its processes, for tr-replay.
LINUX_PROBES := filters/lib/probe/linux.probes

# Other build systems must not inherit the flags of this make.
LINUX_ENV := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL LC_ALL=C SOURCE_DATE_EPOCH=0
# $(call linux_prefix_map,FOLDER): for what is built in FOLDER. The last match applies.
linux_prefix_map = -fdebug-prefix-map=$(CURDIR)=. -fdebug-prefix-map=$(CURDIR)/$(1)/source=.

# $(call linux_text,FILE,TEXT): a file that is rewritten when TEXT has changed.
define linux_text
$(1): FORCE
	@mkdir -p $$(@D); printf '%b' '$(2)\n' | cmp -s - $$@ || printf '%b' '$(2)\n' > $$@
endef
# Results do not depend on the folder: a copy of it is not rebuilt.
linux_anywhere = $(subst $(CURDIR),.,$(1))
# $(call linux_log,COMMAND,LOG): runs COMMAND, without output unless it fails.
linux_log = { $(1); } >> $(2) 2>&1 || { tail -n 20 $(2) >&2; exit 1; }

# $(call linux_locked,FOLDER,TARGET): makes TARGET. The folder is shared: a second make waits,
# and then finds everything built.
define linux_locked
	$(call without_spaces,Linux)
	+$(Q)mkdir -p $(1); exec 9> $(1)/.lock; \
	flock -n 9 || { echo '$(1): waiting for another make' >&2; flock 9; }; \
	$(MAKE) --no-print-directory $(2) 9>&-
endef

.PHONY: linux linux-files
linux: $(TARGET_B)/firmware.elf ## Build Linux 6.1 and programs for it in build/linux/ (10 minutes, once)
	$(call linux_locked,$(LINUX_B),linux-files)

# --- sources

SHA256_musl_1.2.3.orig.tar.gz := 7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4
SHA256_busybox_1.35.0.orig.tar.bz2 := faeeb244c35a348a334f4a59e44626ee870fb07b6884d68c10ae8bc19f83a694
SHA256_linux_5.10.223.orig.tar.xz := 5272175427d036677539b9ef88a6bc30e455aca2d4fe9a942b2926ef7967ad20
SHA256_iperf3_3.9.orig.tar.gz := 24b63a26382325f759f11d421779a937b63ca1bc17c44587d2fcfedab60ac038
SHA256_minisat2_2.2.1.orig.tar.gz := e54afa3c192c1753bc8075c0c7e126d5c495d9066e3f90a2588091149ac9ca40
SHA256_libjpeg-turbo_2.1.5.orig.tar.gz := 254f3642b04e309fee775123133c6464181addc150499561020312ec61c1bf7c
SHA256_x264_0.164.3095+gitbaee400.orig.tar.gz := 8b237e94b08c196a1da22f2f25875f10be4cff3648df4eeff21e00da8f683fc2

# Tries the mirrors of apt in turn; apt's helper checks the hash. A pool's folders are named after
# the first letter, or after "lib" and the next one. All folders share the files: under
# `make -j` two may want the same one at once.
$(LINUX_B)/download/%:
	$(call say,FETCH,$*)
	$(Q)mkdir -p $(@D); exec 9> $(@D)/.lock; flock 9; [ ! -e $@ ] || exit 0; \
	package=$*; package=$${package%%_*}; rm -f $@.log; \
	pool=$${package:0:1}; case $$package in lib*) pool=$${package:0:4} ;; esac; \
	for uri in $$(apt-get indextargets --format '$$(REPO_URI)' 'Created-By: Packages' | sort -u); do \
		/usr/lib/apt/apt-helper -qq -o Acquire::Retries=5 -o APT::Sandbox::User= download-file \
			"$${uri%/}/pool/main/$$pool/$$package/$*" $@.new SHA256:$(SHA256_$*) \
			2>> $@.log && mv $@.new $@ && rm $@.log && exit 0; \
	done; \
	echo 'make: no mirror of apt has $*: see $@.log' >&2; exit 1
.PRECIOUS: $(LINUX_B)/download/%

$(LINUX_PACKAGE):
	@echo '$@ is missing: make deps' >&2; exit 1

# $(call linux_source,FOLDER,NAME,PACKAGE): unpacks and patches a source into FOLDER/source/NAME.
define linux_source
$(1)/source/$(2)/.unpacked: $(3) $(sort $(wildcard $(LINUX)/patches/$(2)/*.patch))
	$$(call say,UNPACK,$$<)
	$(Q)rm -rf $$(@D); mkdir -p $$(@D)
	$(Q)tar -xf $$< -C $$(@D) --strip-components=1
	$(Q)for p in $$(filter %.patch,$$^); do patch -s -d $$(@D) -p1 < $$$$p; done
	$(Q)touch $$@
endef
LINUX_SOURCE_linux-6.1 := $(LINUX_PACKAGE)
LINUX_SOURCE_linux-5.10 := $(LINUX_B)/download/linux_5.10.223.orig.tar.xz
LINUX_SOURCE_musl-1.2.3 := $(LINUX_B)/download/musl_1.2.3.orig.tar.gz
LINUX_SOURCE_busybox-1.35.0 := $(LINUX_B)/download/busybox_1.35.0.orig.tar.bz2
LINUX_SOURCE_iperf-3.9 := $(LINUX_B)/download/iperf3_3.9.orig.tar.gz
LINUX_SOURCE_minisat-2.2.1 := $(LINUX_B)/download/minisat2_2.2.1.orig.tar.gz
LINUX_SOURCE_libjpeg-turbo-2.1.5 := $(LINUX_B)/download/libjpeg-turbo_2.1.5.orig.tar.gz
LINUX_SOURCE_x264-0.164 := $(LINUX_B)/download/x264_0.164.3095+gitbaee400.orig.tar.gz
$(foreach s,$(KERNEL) $(MUSL) $(BUSYBOX) $(IPERF),\
	$(eval $(call linux_source,$(LINUX_B),$(notdir $(s)),$(LINUX_SOURCE_$(notdir $(s))))))

# --- kernel

KERNEL_MAKE = $(LINUX_ENV) KBUILD_BUILD_TIMESTAMP="1970-01-01 00:00:00 UTC" \
	KBUILD_BUILD_USER=user KBUILD_BUILD_HOST=host KBUILD_BUILD_VERSION=1 \
	make -s -C $(1)/source/$(2) ARCH=riscv CROSS_COMPILE=$(LINUX_CROSS) \
	KCFLAGS="$(linux_prefix_map)" KAFLAGS="$(linux_prefix_map)"

# $(call linux_kernel,FOLDER,SOURCE,FRAGMENT...): FOLDER/vmlinux, and the vdso in it. The last
# fragment that has an option decides.
define linux_kernel
$(call linux_text,$(1)/kernel.flags,$(call linux_anywhere,$(KERNEL_MAKE)))
$(1)/source/$(2)/.config: $(3) $(1)/source/$(2)/.unpacked $(1)/kernel.flags
	$$(call say,CONFIG,$$@)
	$(Q)cat $(3) > $$(@D)/.fragment
	$(Q)$$(call linux_log,$(KERNEL_MAKE) KCONFIG_ALLCONFIG=.fragment allnoconfig,$$(@D)/.log)
	$(Q)touch $$@
$(1)/source/$(2)/.built: $(1)/source/$(2)/.config
	$$(call say,KERNEL,"$$(@D)/vmlinux (4 to 10 minutes)")
	$(Q)$$(call linux_log,$(KERNEL_MAKE) -j$$(LINUX_JOBS) vmlinux headers,$$(@D)/.log)
	$(Q)touch $$@
$(1)/vmlinux: $(1)/source/$(2)/.built
	$(Q)cp $$(<D)/vmlinux $$@
$(1)/vdso.so.dbg: $(1)/source/$(2)/.built
	$(Q)cp $$(<D)/arch/riscv/kernel/vdso/vdso.so.dbg $$@
endef
$(eval $(call linux_kernel,$(LINUX_B),linux-6.1,$(LINUX)/kernel.fragment))

# --- musl, and a compiler for programs that use it

linux_cflags = -O2 -g $(linux_prefix_map)
LINUX_CFLAGS := $(call linux_cflags,$(LINUX_B))
# $(call linux_specs,FOLDER,LIBGCC,CRT1): the specs of gcc for the musl in FOLDER.
linux_specs = *cc1:\n-nostdinc -isystem $(1)/include -isystem \
	include%s\n\n*startfile:\n$(1)/lib/$(3) $(1)/lib/crti.o\n\n*endfile:\n\
	$(1)/lib/crtn.o\n\n*libgcc:\n$(2)\n\n*link_libgcc:\n\
	-L$(1)/lib\n\n*lib:\n-lc\n

# $(call linux_musl,FOLDER,SYSROOT,ARCH,LIBGCC,OPTIONS,CRT1): musl and the headers of the kernel,
# in FOLDER/SYSROOT, and FOLDER/musl.specs. CRT1 is what programs begin with.
define linux_musl
$(call linux_text,$(1)/musl.flags,$(call linux_anywhere,$(3) $(linux_cflags)))
$(1)/$(2)/.musl: $(1)/source/musl-1.2.3/.unpacked $(1)/musl.flags
	$$(call say,MUSL,$$(@D))
	$(Q)rm -rf $$(@D)
	$(Q)$$(call linux_log,cd $$(<D) && $(LINUX_ENV) CC="$(LINUX_CROSS)gcc $(3)" \
		CROSS_COMPILE=$(LINUX_CROSS) LIBCC=$(4) CFLAGS="$(linux_cflags)" ./configure \
		--target=riscv64 $(5) --disable-wrapper --prefix=/,$(CURDIR)/$(1)/musl.log)
	$(Q)$$(call linux_log,$(LINUX_ENV) make -s -C $$(<D) -j$$(LINUX_JOBS) DESTDIR=$(CURDIR)/$$(@D) \
		install,$(1)/musl.log)
	$(Q)touch $$@
$(1)/$(2)/.headers: $(1)/$(2)/.musl $(1)/source/linux-6.1/.built
	$(Q)cp -rp $(1)/source/linux-6.1/usr/include/{asm,asm-generic,linux,mtd} $$(@D)/include/
	$(Q)touch $$@
$(call linux_text,$(1)/musl.specs,$(call linux_specs,$(CURDIR)/$(1)/$(2),$(4),$(6)))
$(call linux_text,$(1)/specs.flags,$(call linux_anywhere,$(call linux_specs,$(CURDIR)/$(1)/$(2),$(4),$(6))))
endef

LINUX_ARCH := -march=rv64imac_zicsr_zifencei -mabi=lp64
# The libgcc of Debian's cross compiler for Linux requires F and D; that of the bare-metal
# compiler does not.
LINUX_LIBGCC = $$(shell $(TARGET_CC) -march=rv64imac -mabi=lp64 -print-libgcc-file-name)
MUSL_CC := $(LINUX_CROSS)gcc $(LINUX_ARCH) -specs=$(CURDIR)/$(LINUX_B)/musl.specs -static -no-pie -fno-pie

$(eval $(call linux_musl,$(LINUX_B),sysroot,$(LINUX_ARCH),$(LINUX_LIBGCC),--disable-shared,crt1.o))
$(eval $(call linux_text,$(LINUX_B)/programs.flags,$(call linux_anywhere,$(MUSL_CC) $(LINUX_CFLAGS))))
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
		--host=riscv64-linux-musl --disable-shared --without-openssl --without-sctp,$(CURDIR)/$(LINUX_B)/iperf3.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(IPERF)/src clean,$(LINUX_B)/iperf3.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(IPERF)/src -j$(LINUX_JOBS) iperf3,$(LINUX_B)/iperf3.log)
	$(Q)cp $(IPERF)/src/iperf3 $@

include $(LINUX)/scenarios.mk
include $(LINUX)/gallery.mk
include $(LINUX)/network.mk
include $(LINUX)/smp.mk
include $(LINUX)/big-little.mk
include $(LINUX)/perturb.mk
include $(LINUX)/profiler.mk
include $(LINUX)/accuracy.mk
include $(LINUX)/profiler-kernel.mk
include $(LINUX)/daemon.mk
