# SPDX-License-Identifier: Apache-2.0
# `make linux-debian-PROGRAM`: a program of Debian, with its libraries and the kernel of
# linux-debian.mk, all unmodified, on the functional model. The trace begins with the
# program's start and ends with power-off; address space layout randomization is on.
#
# apt resolves what the programs depend on. The packages are unpacked, without their
# scripts, into build/linux-debian/sysroot/, with the debug information of the C library
# and of Python; they are 150 MB. An initial RAM disk has only the program's files and the
# libraries that they need, sim/target/debian/init.sh as process 1, and programs/PROGRAM.sh,
# whose output must be that of programs/PROGRAM.txt.

DEBIAN_PROGRAMS := openssl perl python3 sqlite3 strace stress-ng
# Of the sysroot, besides busybox. A script may use busybox for anything but the program
# that it is about.
DEBIAN_FILES_openssl := usr/bin/openssl usr/lib/ssl/openssl.cnf
DEBIAN_FILES_perl := usr/bin/perl usr/lib/riscv64-linux-gnu/perl-base
DEBIAN_FILES_python3 := usr/bin/python3 'usr/lib/python3.*'
DEBIAN_FILES_sqlite3 := usr/bin/sqlite3
DEBIAN_FILES_strace := usr/bin/strace
DEBIAN_FILES_stress-ng := usr/bin/stress-ng

DEBIAN_SYSROOT := $(DEBIAN)/sysroot
DEBIAN_PROGRAM_OWN := joined.svg functions.txt summary.txt
# The hint instruction of sim/target/debian/traced.S.
DEBIAN_START := insn=45602013

.PHONY: linux-debian-programs $(DEBIAN_PROGRAMS:%=linux-debian-%)
linux-debian-programs: ## Run Debian's openssl, perl, python3, sqlite3, strace and stress-ng on the model
linux-debian-programs: $(DEBIAN_PROGRAMS:%=linux-debian-%)
linux-debian-perl: ## Debian's perl on Debian's kernel (also -openssl, -python3, -sqlite3, -strace, -stress-ng)
$(DEBIAN_PROGRAMS:%=linux-debian-%): linux-debian-%: $(B)/bin/soc-model $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) --no-print-directory $(DEBIAN_PROGRAM_OWN:%=$(DEBIAN)/$*/%)
	@echo; cat $(DEBIAN)/$*/summary.txt; \
	printf 'open %s (the program, its libraries, the kernel and the firmware)\n' $(DEBIAN)/$*/joined.svg; \
	! grep 'not met' $(DEBIAN)/$*/summary.txt > /dev/null

# --- packages

# Without the packages that every Debian system has, of which perl-base is needed.
DEBIAN_PACKAGES := $(DEBIAN_PROGRAMS) busybox-static perl-base libc6-dbg
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

# Each program and library of the sysroot once, by whichever of its names sorts first.
$(DEBIAN)/programs.lst: $(DEBIAN_SYSROOT)/.unpacked pipelines/linux-debian-programs.mk
	$(Q)printf '%s\n' '../target/firmware.elf firmware' 'vmlinux kernel' 'vdso.so user' 'traced user' > $@
	$(Q)cd $(DEBIAN); find sysroot -path sysroot/usr/lib/debug -prune -o -type f -printf '%p %i\n' | LC_ALL=C sort | \
		awk '!seen[$$2]++ { print $$1 }' | while read -r file; do \
			[ "$$(head -c 4 "$$file" | tr -d '\0')" != $$'\x7fELF' ] || echo "$$file user"; done >> $(CURDIR)/$@
$(DEBIAN)/vdso.so: $(DEBIAN)/debug/.unpacked
	$(Q)ln -f $$(find $(<D) -name 'vdso.so*') $@

# --- runs

# In the future, soc-sim --resume with a checkpoint of the model at $(DEBIAN_START) is a
# second simulator here.
define debian_program_run
DEBIAN_SIM_$(1) := $(B)/bin/soc-model
DEBIAN_OPTIONS_$(1) := --isa rv64gc --ram 512M --start $(DEBIAN_START) $(FW) $(DEBIAN)/Image@0x80200000 \
	--dtb $(DEBIAN)/soc-programs.dtb --initrd $(DEBIAN)/$(1)/init.cpio
DEBIAN_NEEDS_$(1) := $(DEBIAN)/soc-programs.dtb $(DEBIAN)/$(1)/init.cpio
DEBIAN_LISTED_$(1) := $(addprefix $(DEBIAN)/,traced vdso.so programs.lst sysroot/.debug)
DEBIAN_MATCH_$(1) := --bins $(DEBIAN)/programs.lst
DEBIAN_TITLE_$(1) = Debian's $$$$(awk '$$$$1 == "$(1)"' $(DEBIAN_SYSROOT)/packages.txt), on the model
DEBIAN_CHECK_$(1) = tr -d '\r' < $$(@D)/console.txt | sed -n '/^--- begin/,/^--- end/p' | \
	diff - $(TARGET)/debian/programs/$(1).txt > $$(@D)/output.diff && echo output as expected || echo output not expected
endef
$(foreach p,$(DEBIAN_PROGRAMS),$(eval $(call debian_program_run,$(p))))
$(foreach p,$(DEBIAN_PROGRAMS),$(eval $(call debian_run,$(p))))
