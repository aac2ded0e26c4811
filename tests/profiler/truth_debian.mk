# SPDX-License-Identifier: Apache-2.0
# `make truth-profiler-debian`: what nobody compiled for the run-time profiler, profiled as its
# man pages say, and the counters against the executions in the trace, as in truth.mk:
# Debian 13's busybox-static, which starts itself for most of what it does, its dynamically
# linked perl, a PIE, and a static shell of SQLite. All are stripped. It needs the packages of
# `make linux-debian`.

PROF_DEBIAN_B := $(PROF_TRUTH_B)/debian
# On one hart; and on two, where tr-match has to know the program: without libraries.
PROF_DEBIAN_PROGRAMS := busybox-static sqlite3-static perl
PROF_DEBIAN_TWO := busybox-static sqlite3-static
# Processes of the run without the profiler that comes first: as many as with it.
PROF_DEBIAN_ALONE_busybox-static := 27
PROF_DEBIAN_ALONE_sqlite3-static := 1
PROF_DEBIAN_ALONE_perl := 3

SHA256_fossil_2.21.orig.tar.xz := be63439cc08bec72aeb8ed8c240ef9b3e7ce7916e786ef6c55491d86daf02c5b
$(eval $(call linux_source,$(PROF_DEBIAN_B),fossil-2.21,$(LINUX_B)/download/fossil_2.21.orig.tar.xz))
# Fossil has SQLite as two files, which Debian's own source package makes with Tcl. The compilers
# of Debian 13 write unwind tables without being asked, that of Debian 12 does not for riscv64.
PROF_SQLITE := $(PROF_DEBIAN_B)/source/fossil-2.21/extsrc
PROF_SQLITE_FLAGS := -O2 -w $(GC_ARCH) -fPIE -fasynchronous-unwind-tables -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_FTS4
$(PROF_DEBIAN_B)/obj/%.o: $(PROF_DEBIAN_B)/source/fossil-2.21/.unpacked $(PROF_TRUTH)/truth_debian.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC) $(PROF_SQLITE_FLAGS) -c -o $@ $(PROF_SQLITE)/$*.c
$(PROF_DEBIAN_B)/root/usr/bin/sqlite3-static: $(PROF_DEBIAN_B)/obj/sqlite3.o $(PROF_DEBIAN_B)/obj/shell.o
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC) -static -no-pie -Wl,--build-id=sha1 -Wl,--no-warnings -s -o $@ $^ -lm
$(PROF_DEBIAN_B)/root/usr/bin/busybox-static: PROF_DEBIAN_FILE := busybox
$(PROF_DEBIAN_B)/root/usr/bin/perl: PROF_DEBIAN_FILE := perl
$(addprefix $(PROF_DEBIAN_B)/root/usr/bin/,busybox-static perl): $(DEBIAN_SYSROOT)/.unpacked
	$(Q)mkdir -p $(@D); cp $(DEBIAN_SYSROOT)/usr/bin/$(PROF_DEBIAN_FILE) $@
.PRECIOUS: $(PROF_DEBIAN_B)/root/usr/bin/% $(PROF_DEBIAN_B)/obj/%.o

# What perl loads, as PATH=FILE.
PROF_DEBIAN_LIBRARIES_perl := $(foreach l,ld-linux-riscv64-lp64d.so.1 libm.so.6 libc.so.6 libcrypt.so.1,\
	/lib/$(l)=$(DEBIAN_SYSROOT)/usr/lib/riscv64-linux-gnu/$(l))

# $(call prof_debian_program,PROGRAM): PROGRAM's folder for prof-inject, initramfs and lists.
# Device trees and lists have the names that truth.mk gives those of `make linux-prof`. The lists have
# the stubs, since nearly all functions that run are replaced: tr-match knows the program by nothing else.
define prof_debian_program
$(PROF_DEBIAN_B)/prof/.$(1): $(PROF_DEBIAN_B)/root/usr/bin/$(1) $(B)/bin/prof-extract
	$(Q)rm -rf $$(@D)/$(1); mkdir -p $$(@D)/$(1)
	$(Q)$(B)/bin/prof-extract -o $$(@D)/$(1) --root $(PROF_DEBIAN_B)/root $$<
	$(Q)touch $$@
$(PROF_TRUTH_B)/$(1).entries: $(PROF_TRUTH)/entries.sh $(PROF_DEBIAN_B)/root/usr/bin/$(1)
	$(Q)CROSS=$(LINUX_CROSS) $$^ > $$@
$(PROF_TRUTH_B)/$(1).list: $(B)/bin/prof-extract $(PROF_DEBIAN_B)/root/usr/bin/$(1)
	$(Q)$$< --list $(PROF_DEBIAN_B)/root/usr/bin/$(1) > $$@
$(PROF_DEBIAN_B)/$(1)-1.cpio: PROF_DEBIAN_HAND := $(PROFILED_B)/stripped/hand_over
$(PROF_DEBIAN_B)/$(1)-2.cpio: PROF_DEBIAN_HAND := $(PROF_TRUTH)/print_counts.sh
$(PROF_DEBIAN_B)/$(1)-1.cpio $(PROF_DEBIAN_B)/$(1)-2.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,hand_over prof-inject prof-counts) $(PROF_DEBIAN_B)/prof/.$(1) \
		$(PROF_TRUTH)/print_counts.sh $(PROF_TRUTH)/truth_debian.sh $(PROF_TRUTH)/truth_debian/$(firstword $(subst -, ,$(1)))
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,prof-inject prof-counts) /bin/hand_over=$$(PROF_DEBIAN_HAND) $(PROF_TRUTH)/truth_debian.sh \
		/work=$(PROF_TRUTH)/truth_debian/$(firstword $(subst -, ,$(1))) /usr/bin/$(1)=$(PROF_DEBIAN_B)/root/usr/bin/$(1) \
		$(PROF_DEBIAN_LIBRARIES_$(1)) $$$$(cd $(PROF_DEBIAN_B)/prof/$(1) && \
		find * -type f -printf '/prof/%p=$(CURDIR)/$(PROF_DEBIAN_B)/prof/$(1)/%p\n' | LC_ALL=C sort) > $$@
$(PROF_DEBIAN_B)/$(1)-%.dtb: $(LINUX)/soc.dts sim/soc.h $(PROF_TRUTH)/truth_debian.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$$* -DISA='"rv64imafdc"' -DBOOTARGS='"quiet console=hvc0 -- /script $(1)"' $$< | dtc -q -O dtb -o $$@
$(PROFILED_B)/$(1)-normal-2.lst: $(PROF_TRUTH)/truth_debian.mk
	$(Q)printf '%s\n' $(PROFILED_TOP_2) '../linux-gc/root/init user' '../linux/busybox user' 'bin/prof-inject user' 'bin/prof-counts user' \
		'../../$(PROF_DEBIAN_B)/root/usr/bin/$(1) user stubs=../../$(PROF_DEBIAN_B)/prof/$(1)/usr/bin/$(1)' > $$@
$(PROF_TRUTH_B)/$(1)-process-1-soc-model.csv: $(PROF_TRUTH_NEEDS) $(B)/bin/soc-model $(PROF_TRUTH_B)/$(1).entries \
		$(PROF_DEBIAN_B)/$(1)-1.dtb $(PROF_DEBIAN_B)/$(1)-1.cpio
	$$(call prof_truth_count,soc-model,1,$(PROF_DEBIAN_B)/$(1)-1.dtb,$(PROF_DEBIAN_B)/$(1)-1.cpio,$(1))
$(PROF_TRUTH_B)/$(1)-process-2-soc-model.csv: $(PROF_TRUTH_SPACES) $(PROF_TRUTH_B)/$(1).entries \
		$(PROFILED_B)/$(1)-normal-2.lst $(PROF_DEBIAN_B)/prof/.$(1) $(PROF_DEBIAN_B)/$(1)-2.dtb $(PROF_DEBIAN_B)/$(1)-2.cpio
	$$(call prof_truth_spaces,$(PROF_DEBIAN_B)/$(1)-2.dtb,$(PROF_DEBIAN_B)/$(1)-2.cpio,$(1))
endef
$(foreach p,$(PROF_DEBIAN_PROGRAMS),$(eval $(call prof_debian_program,$(p))))

.PHONY: truth-profiler-debian
truth-profiler-debian: linux-prof ## The same of Debian's busybox and perl, and a stripped sqlite3
	$(Q)$(MAKE) -s --no-print-directory $(foreach p,$(PROF_DEBIAN_PROGRAMS),$(PROF_TRUTH_B)/$(p).list $(PROF_TRUTH_B)/$(p)-process-1-soc-model.csv) \
		$(PROF_DEBIAN_TWO:%=$(PROF_TRUTH_B)/%-process-2-soc-model.csv)
	$(Q)failed=0; $(foreach p,$(PROF_DEBIAN_PROGRAMS),$(call prof_truth_judge,$(p)-process-1-soc-model,$(p),-v whole=1 -v alone=$(PROF_DEBIAN_ALONE_$(p))) || failed=1;) \
	$(foreach p,$(PROF_DEBIAN_TWO),$(call prof_truth_judge_printed,$(p)-process-2-soc-model,$(p),-v whole=1 -v alone=$(PROF_DEBIAN_ALONE_$(p))) || failed=1;) \
	[ $$failed = 0 ]
