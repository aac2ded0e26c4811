# SPDX-License-Identifier: Apache-2.0
# `make linux-debian-PROGRAM`: a program of Debian, with its libraries and the kernel of
# linux-debian.mk, all unmodified, on the functional model and on the hardware. The model
# boots to the program and writes a checkpoint, from which both start; the traces end with
# power-off. Address space layout randomization is on.
#
# apt resolves what the programs depend on. The packages are unpacked, without their
# scripts, into build/linux-debian/RELEASE/sysroot/, with the debug information of the C library
# and of Python; they are 150 MB. An initial RAM disk has only the program's files and the
# libraries that they need, sim/target/debian/init.sh as process 1, and programs/PROGRAM.sh,
# whose output must be that of programs/PROGRAM.txt.

DEBIAN_PROGRAMS := openssl perl python3 sqlite3 strace stress-ng
# In the same way, a file system in modules of the kernel.
DEBIAN_ALL := $(DEBIAN_PROGRAMS) modules
# Of the sysroot, besides busybox. A script may use busybox for anything but the program
# that it is about.
DEBIAN_FILES_modules := usr/sbin/insmod usr/sbin/rmmod usr/sbin/mke2fs usr/lib/modules
DEBIAN_FILES_openssl := usr/bin/openssl usr/lib/ssl/openssl.cnf
DEBIAN_FILES_perl := usr/bin/perl usr/lib/riscv64-linux-gnu/perl-base
DEBIAN_FILES_python3 := usr/bin/python3 'usr/lib/python3.*'
DEBIAN_FILES_sqlite3 := usr/bin/sqlite3
DEBIAN_FILES_strace := usr/bin/strace
DEBIAN_FILES_stress-ng := usr/bin/stress-ng

DEBIAN_SYSROOT := $(DEBIAN)/sysroot
# The hint instruction of sim/target/debian/traced.S.
DEBIAN_START := insn=45602013
# Results are in build/linux-debian/RELEASE/PROGRAM/ (model) and PROGRAM-hardware/. That of the
# modules would run for a quarter of an hour: the kernel checks their signatures.
debian_program_runs = $(1) $(filter-out modules-hardware,$(1)-hardware)

.PHONY: linux-debian-programs $(DEBIAN_ALL:%=linux-debian-%)
linux-debian-programs: ## Debian's openssl, perl, python3, sqlite3, strace and stress-ng
linux-debian-programs: $(DEBIAN_PROGRAMS:%=linux-debian-%)
linux-debian-modules: ## ext4 and other modules of Debian's kernel, on the model
linux-debian-perl: ## Debian's perl (also -openssl, -python3, -sqlite3, -strace, -stress-ng)
$(DEBIAN_ALL:%=linux-debian-%): linux-debian-%: $(DEBIAN_SIM_model) $(DEBIAN_SIM_hardware) $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) --no-print-directory \
		$(foreach r,$(call debian_program_runs,$*),$(DEBIAN_OWN:%=$(DEBIAN)/$(r)/%))
	@$(call debian_show,$(call debian_program_runs,$*),the program with its libraries and the kernel)

# --- packages

# Without the packages that every Debian system has, of which perl-base is needed.
DEBIAN_PACKAGES := $(DEBIAN_PROGRAMS) busybox-static e2fsprogs kmod perl-base libc6-dbg
$(DEBIAN_SYSROOT)/.unpacked: $(DEBIAN)/package | $(DEBIAN)/debug/.unpacked
	$(call say,FETCH,"the packages for $(@D)")
	$(Q)rm -rf $(@D); mkdir -p $(@D)/usr/bin $(@D)/usr/lib $(@D)/usr/sbin; \
	for link in bin lib sbin; do ln -s usr/$$link $(@D)/$$link; done
	$(Q)$(call debian_apt,apt-get) clean
	$(Q)$(call debian_apt,apt-get) install -y --no-install-recommends --download-only $(DEBIAN_PACKAGES) > /dev/null
	$(call say,UNPACK,$(@D))
	$(Q)for package in $(DEBIAN_APT)/cache/archives/*.deb; do dpkg-deb -x $$package $(@D); \
		dpkg-deb -W --showformat='$${Package} $${Version}\n' $$package; done > $(@D)/packages.txt
	$(Q)$(call debian_apt,apt-get) clean; touch $@

# The interpreter's debug information is in the package of its debug build, python3.N-dbg.
debian_python_debug = $(call debian_apt,apt-cache) depends python3-dbg | awk '$$2 ~ /^python3[.].*-dbg$$/ { print $$2 }'
$(DEBIAN_SYSROOT)/.debug: $(DEBIAN_SYSROOT)/.unpacked
	$(call debian_unpack,$(debian_python_debug),./usr/lib/debug/.build-id)

# The modules of a file system and a disk; $(DEBIAN)/debug has them before they are
# stripped.
$(DEBIAN_SYSROOT)/.modules: $(DEBIAN_SYSROOT)/.unpacked | $(DEBIAN_SYSROOT)/.debug
	$(call debian_unpack,$(call debian_part,modules),$(DEBIAN_MODULES:%='./usr/lib/modules/*/kernel/%.ko*'))
$(DEBIAN)/modules/init.cpio: $(DEBIAN_SYSROOT)/.modules

# --- device tree, initial RAM disks, list of binaries

# The kernel tests its cryptography in the background, for longer than a program runs.
DEBIAN_DEFINES := -DHAS_FLOAT -DRAM_SIZE=0x20000000 -DBOOTARGS='"console=ttyS0 panic=-1 cryptomgr.notests"'
$(DEBIAN)/soc-programs.dtb: $(TARGET)/debian/soc.dts sim/soc.h pipelines/linux-debian-programs.mk
	$(Q)$(LINUX_CPP) $(DEBIAN_DEFINES) $< | dtc -q -O dtb -o $@
$(DEBIAN)/traced: $(TARGET)/debian/traced.S
	$(Q)$(TARGET_CC) -march=rv64imac -mabi=lp64 -g -nostdlib -static -Wl,--build-id=sha1 -o $@ $<
$(DEBIAN)/%/init.cpio: $(TARGET)/debian/programs/%.sh $(addprefix $(TARGET)/debian/,init.sh initramfs.sh) \
		$(DEBIAN)/traced $(DEBIAN_SYSROOT)/.unpacked
	$(call say,CPIO,$@)
	$(Q)rm -rf $(@D)/root; mkdir -p $(@D)/root/{dev,proc,sys,tmp,usr/bin,usr/lib,usr/sbin}
	$(Q)$(TARGET)/debian/initramfs.sh $(DEBIAN_SYSROOT) $(@D)/root usr/bin/busybox $(DEBIAN_FILES_$*)
	$(Q)$(TARGET_OBJCOPY) --strip-all $(DEBIAN)/traced $(@D)/root/usr/bin/traced; \
	cp $(TARGET)/debian/init.sh $(@D)/root/init; cp $< $(@D)/root/workload.sh; \
	find $(@D)/root -exec touch -h -d @0 {} +
	$(Q)cd $(@D)/root; find . -mindepth 1 | LC_ALL=C sort | \
		cpio --quiet --reproducible -o -H newc -R 0:0 > $(CURDIR)/$@
	$(Q)rm -r $(@D)/root

# What is not in the sysroot, and the modules as they were before they were stripped.
$(DEBIAN)/programs.lst: $(DEBIAN)/debug/.unpacked pipelines/linux-debian-programs.mk
	$(Q)printf '%s\n' '../../target/firmware.elf firmware' 'vmlinux kernel' 'traced user' > $@
	$(Q)cd $(DEBIAN); find debug -name '*.ko' -printf '%p kernel\n' | LC_ALL=C sort >> $(CURDIR)/$@

# --- runs

DEBIAN_BOOT := --isa rv64gc --ram 512M $(FW) $(DEBIAN)/Image@0x80200000 --dtb $(DEBIAN)/soc-programs.dtb
$(DEBIAN)/%/start.checkpoint: $(DEBIAN)/%/init.cpio $(DEBIAN)/soc-programs.dtb $(DEBIAN)/Image $(FW) $(DEBIAN_SIM_model)
	$(call say,BOOT,$@)
	$(Q)$(DEBIAN_SIM_model) $(DEBIAN_BOOT) --initrd $< --checkpoint $@ --checkpoint-at $(DEBIAN_START) \
		< /dev/null > $(@D)/boot.txt

# $(call debian_program_run,RUN,PROGRAM,SIMULATOR,NAME)
define debian_program_run
DEBIAN_SIM_$(1) := $(3)
DEBIAN_OPTIONS_$(1) := --resume $(DEBIAN)/$(2)/start.checkpoint
DEBIAN_NEEDS_$(1) := $(DEBIAN)/$(2)/start.checkpoint
DEBIAN_LISTED_$(1) := $(addprefix $(DEBIAN)/,traced programs.lst sysroot/.debug)
DEBIAN_MATCH_$(1) := --bins $(DEBIAN)/programs.lst --sysroot $(DEBIAN_SYSROOT)
DEBIAN_TITLE_$(1) = Debian's $$$$(grep '^$(2:modules=kmod) ' $(DEBIAN_SYSROOT)/packages.txt), on the $(4)
DEBIAN_CHECK_$(1) = cat $(DEBIAN)/$(2)/boot.txt $$(@D)/console.txt | tr -d '\r' | sed -n '/^--- begin/,/^--- end/p' | \
	diff - $(TARGET)/debian/programs/$(2).txt > $$(@D)/output.diff && echo output as expected || echo output not expected
$(DEBIAN)/$(1)/summary.txt: $(TARGET)/debian/programs/$(2).txt
endef
$(foreach p,$(DEBIAN_ALL),$(eval $(call debian_program_run,$(p),$(p),$(DEBIAN_SIM_model),model)))
$(foreach p,$(DEBIAN_ALL),$(eval $(call debian_program_run,$(p)-hardware,$(p),$(DEBIAN_SIM_hardware),hardware)))
$(foreach p,$(DEBIAN_ALL),$(foreach r,$(call debian_program_runs,$(p)),$(eval $(call debian_run,$(r)))))
.SECONDARY: $(DEBIAN_ALL:%=$(DEBIAN)/%/start.checkpoint) $(DEBIAN_ALL:%=$(DEBIAN)/%/init.cpio)
