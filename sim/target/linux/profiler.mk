# SPDX-License-Identifier: Apache-2.0
# `make linux-prof`: programs that are run without and with the run-time profiler, in
# build/linux-prof/, with the kernel of build/linux-gc/, or for two harts of
# build/linux-gc-smp/:
#     soc-model --isa rv64gc --ram 64M --dtb PROGRAM-MODE-1.dtb --initrd PROGRAM-MODE.cpio \
#         ../target/firmware.elf ../linux-gc/vmlinux
#     soc-model --isa rv64gc --harts 2 --ram 64M --dtb PROGRAM-MODE-2.dtb \
#         --initrd PROGRAM-MODE.cpio ../target/firmware-smp.elf ../linux-gc-smp/vmlinux
# MODE is normal; gprof, of a program compiled for it; process or global, with counters for
# each process or for all. PROGRAM-MODE-HARTS.lst is the list for tr-match.
#
# programs/ and gprof/ have the programs with DWARF. root/bin/ has what the machine loads:
# with symbols, and all of the same age, because the profiler compares size and time.
# prof/PROGRAM/ is what the extractor has found in one.

PROFILED := $(LINUX)/profiler
PROFILED_OURS := sim/target/profiler/programs
PROFILED_B := build/linux-prof
PROFILED_DEBIAN := minisat djpeg x264
PROFILED_LEVELS := O0 O2 O3 Os
# What is measured for the tables, and what only shows that counts are right.
PROFILED_MEASURED := multiply $(PROFILED_LEVELS:%=kernels-%) denoise $(PROFILED_DEBIAN)
PROFILED_TESTS := threads signals jumps tree cxx forks
PROFILED_HARTS := 1 2

.PHONY: linux-prof linux-prof-files
linux-prof: linux linux-gc linux-gc-smp ## Build programs for the run-time profiler in build/linux-prof/
	$(call linux_locked,$(PROFILED_B),linux-prof-files)

# --- our programs

PROFILED_CFLAGS := $(GC_CFLAGS) $(TARGET_CFLAGS) -I$(TARGET)
PROFILED_CXXFLAGS := $(GC_CFLAGS) -std=gnu++17
PROFILED_LDFLAGS := -static -no-pie $(GC_LDFLAGS)
$(eval $(call linux_text,$(PROFILED_B)/programs.flags,$(call linux_anywhere,$(PROFILED_CFLAGS) $(PROFILED_CXXFLAGS) $(PROFILED_LDFLAGS))))

# Sources and options of PROGRAM.
PROFILED_SOURCES_multiply := $(PROFILED_OURS)/multiply.c
PROFILED_CFLAGS_multiply := -O0
PROFILED_SOURCES_denoise := $(PROFILED_OURS)/denoise.c
PROFILED_CFLAGS_denoise := -O0
PROFILED_LIBS_denoise := -lm
$(foreach l,$(PROFILED_LEVELS),$(eval PROFILED_SOURCES_kernels-$(l) := $(addprefix $(PROFILED_OURS)/kernel,s.c _list.c _matrix.c _states.c _crc.c)))
$(foreach l,$(PROFILED_LEVELS),$(eval PROFILED_CFLAGS_kernels-$(l) := -$(l)))
$(foreach p,threads signals jumps tree,$(eval PROFILED_SOURCES_$(p) := $(LINUX)/programs/$(p).c))
PROFILED_SOURCES_forks := $(PROFILED_OURS)/forks.c
PROFILED_SOURCES_cxx := $(LINUX)/gallery/cxx.cc

PROFILED_CC_.c = $(GC_CC) $(PROFILED_CFLAGS)
PROFILED_CC_.cc = $(GC_CC_cxx) $(PROFILED_CXXFLAGS)
# Headers of all sources: ours include few.
PROFILED_HEADERS := $(PROFILED_OURS)/kernels.h $(LINUX)/programs/check.h $(TARGET)/benchmarks/benchmark.h $(TARGET)/programs/user.h \
	$(addprefix $(TARGET)/benchmarks/,list.c matrix.c states.c crc.c)

# $(call profiled_program,NAME): programs/NAME and gprof/NAME.
define profiled_program
$(call linux_text,$(PROFILED_B)/$(1).words,$(PROFILED_SOURCES_$(1)) $(PROFILED_CFLAGS_$(1)) $(PROFILED_LIBS_$(1)))
$(PROFILED_B)/gprof/$(1): PROFILED_GPROF := -pg
$(PROFILED_B)/programs/$(1) $(PROFILED_B)/gprof/$(1): $(PROFILED_SOURCES_$(1)) $(PROFILED_HEADERS) $(PROFILED_B)/programs.flags $(PROFILED_B)/$(1).words
	$$(call say,CC,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(PROFILED_CC_$(suffix $(firstword $(PROFILED_SOURCES_$(1))))) $$(PROFILED_CFLAGS_$(1)) $$(PROFILED_GPROF) $(PROFILED_LDFLAGS) \
		-o $$@ $(PROFILED_SOURCES_$(1)) $(PROFILED_LIBS_$(1))
endef
$(foreach p,$(filter-out $(PROFILED_DEBIAN),$(PROFILED_MEASURED)) $(PROFILED_TESTS),$(eval $(call profiled_program,$(p))))

# --- programs of Debian's source packages, without their build systems where these need more

$(foreach s,minisat-2.2.1 libjpeg-turbo-2.1.5 x264-0.164,$(eval $(call linux_source,$(PROFILED_B),$(s),$(LINUX_SOURCE_$(s)))))
PROFILED_FOREIGN := $(call linux_cflags,$(PROFILED_B)) $(GC_ARCH)
$(eval $(call linux_text,$(PROFILED_B)/foreign.flags,$(call linux_anywhere,$(PROFILED_FOREIGN) $(PROFILED_LDFLAGS))))
$(PROFILED_DEBIAN:%=$(PROFILED_B)/gprof/%): PROFILED_GPROF := -pg

MINISAT := $(PROFILED_B)/source/minisat-2.2.1
MINISAT_FILES := simp/Main.cc simp/SimpSolver.cc core/Solver.cc utils/Options.cc utils/System.cc
MINISAT_FLAGS := -std=gnu++98 -O3 -DNDEBUG -D__STDC_LIMIT_MACROS -D__STDC_FORMAT_MACROS
$(eval $(call linux_text,$(PROFILED_B)/minisat.words,$(MINISAT_FLAGS) $(MINISAT_FILES)))
$(PROFILED_B)/programs/minisat $(PROFILED_B)/gprof/minisat: $(MINISAT)/.unpacked $(PROFILED_B)/foreign.flags $(PROFILED_B)/minisat.words
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC_cxx) $(PROFILED_FOREIGN) $(MINISAT_FLAGS) -I$(MINISAT) $(PROFILED_GPROF) $(PROFILED_LDFLAGS) \
		-o $@ $(MINISAT_FILES:%=$(MINISAT)/minisat/%)

# What cmake would find out.
JPEG := $(PROFILED_B)/source/libjpeg-turbo-2.1.5
JPEG_CONFIG := s/@JPEG_LIB_VERSION@/62/; s/@VERSION@/2.1.5/; s/@LIBJPEG_TURBO_VERSION_NUMBER@/2001005/; s/@BITS_IN_JSAMPLE@/8/; \
	s/@INLINE@/inline/; s/@THREAD_LOCAL@/__thread/; s/@CMAKE_PROJECT_NAME@/libjpeg-turbo/; s/@SIZE_T@/8/; s/@BUILD@//; \
	s/^\#cmakedefine (._ARITH_CODING_SUPPORTED|MEM_SRCDST_SUPPORTED|HAVE_BUILTIN_CTZL)/\#define \1/; s/^\#cmakedefine.*//
JPEG_LIBRARY := jcapimin jcapistd jccoefct jccolor jcdctmgr jchuff jcicc jcinit jcmainct jcmarker jcmaster jcomapi jcparam jcphuff \
	jcprepct jcsample jctrans jdapimin jdapistd jdatadst jdatasrc jdcoefct jdcolor jddctmgr jdhuff jdicc jdinput jdmainct jdmarker \
	jdmaster jdmerge jdphuff jdpostct jdsample jdtrans jerror jfdctflt jfdctfst jfdctint jidctflt jidctfst jidctint jidctred jquant1 \
	jquant2 jutils jmemmgr jmemnobs jaricom jcarith jdarith jsimd_none
JPEG_TOOL_djpeg := djpeg cdjpeg rdcolmap rdswitch wrgif wrppm wrbmp wrtarga
JPEG_TOOL_cjpeg := cjpeg cdjpeg rdgif rdppm rdswitch rdbmp rdtarga
JPEG_TOOL_FLAGS := -DGIF_SUPPORTED -DPPM_SUPPORTED -DTARGA_SUPPORTED -DBMP_SUPPORTED
$(eval $(call linux_text,$(PROFILED_B)/djpeg.words,$(JPEG_TOOL_FLAGS) $(JPEG_LIBRARY) $(JPEG_TOOL_djpeg) $(JPEG_TOOL_cjpeg)))
$(JPEG)/.configured: $(JPEG)/.unpacked
	$(Q)for header in jconfig jconfigint jversion; do sed -E '$(JPEG_CONFIG)' $(@D)/$$header.h.in > $(@D)/$$header.h; done
	$(Q)touch $@
# $(call jpeg_tool,TOOL,CC,AR): makes $@, of a library as Debian has it.
define jpeg_tool
	$(Q)rm -rf $@.objs; mkdir -p $@.objs
	$(Q)for name in $(JPEG_LIBRARY); do $(2) -c -o $@.objs/$$name.o $(JPEG)/$$name.c; done
	$(Q)$(3) rcs $@.objs/libjpeg.a $(JPEG_LIBRARY:%=$@.objs/%.o)
	$(Q)$(2) -I$(JPEG) $(JPEG_TOOL_FLAGS) -o $@ $(JPEG_TOOL_$(1):%=$(JPEG)/%.c) $@.objs/libjpeg.a
	$(Q)rm -r $@.objs
endef
$(PROFILED_B)/programs/djpeg $(PROFILED_B)/gprof/djpeg: $(JPEG)/.configured $(PROFILED_B)/foreign.flags $(PROFILED_B)/djpeg.words
	$(call say,CC,$@)
	$(call jpeg_tool,djpeg,$(GC_CC) $(PROFILED_FOREIGN) $(PROFILED_GPROF) $(PROFILED_LDFLAGS),$(LINUX_CROSS)ar)
$(PROFILED_B)/host/cjpeg: $(JPEG)/.configured $(PROFILED_B)/djpeg.words
	$(call say,CC,$@)
	$(call jpeg_tool,cjpeg,$(CC) -O2 -w,ar)

# Encodes 8 and 10 bits, as Debian's does, so that not all of it is near the stubs. -O2 comes after
# the -O3 of configure.
X264 := $(PROFILED_B)/source/x264-0.164
X264_OPTIONS := --host=riscv64-linux-gnu --cross-prefix=$(LINUX_CROSS) $(addprefix --disable-,asm opencl thread interlaced avs \
	swscale lavf ffms gpac lsmash)
$(eval $(call linux_text,$(PROFILED_B)/x264.words,$(X264_OPTIONS)))
$(PROFILED_B)/gprof/x264: PROFILED_X264 := --enable-gprof
$(PROFILED_B)/programs/x264 $(PROFILED_B)/gprof/x264: $(X264)/.unpacked $(PROFILED_B)/foreign.flags $(PROFILED_B)/x264.words
	$(call say,X264,$@)
	$(Q)rm -rf $@.objs; mkdir -p $@.objs
	$(Q)$(call linux_log,cd $@.objs && $(LINUX_ENV) $(CURDIR)/$(X264)/configure $(X264_OPTIONS) $(PROFILED_X264) \
		--extra-cflags="$(PROFILED_FOREIGN)" --extra-ldflags="$(PROFILED_LDFLAGS)",$(CURDIR)/$@.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $@.objs -j$(LINUX_JOBS) x264,$@.log)
	$(Q)cp $@.objs/x264 $@; rm -r $@.objs $@.log

# --- their inputs

$(PROFILED_B)/host/inputs: $(PROFILED)/inputs.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D); $(CC) -std=c11 -O1 $(WARN) -o $@ $<
$(PROFILED_B)/inputs/formula $(PROFILED_B)/inputs/picture $(PROFILED_B)/inputs/clip: $(PROFILED_B)/inputs/%: $(PROFILED_B)/host/inputs
	$(Q)mkdir -p $(@D); $< $* > $@
$(PROFILED_B)/inputs/picture.jpg: $(PROFILED_B)/inputs/picture $(PROFILED_B)/host/cjpeg
	$(Q)$(PROFILED_B)/host/cjpeg -quality 90 $< > $@
PROFILED_INPUT_minisat := formula
PROFILED_INPUT_djpeg := picture.jpg
PROFILED_INPUT_x264 := clip

# --- programs of the scenarios

$(PROFILED_B)/tools/measure: $(PERTURB)/measure.c
$(PROFILED_B)/tools/hand_over: $(PROFILED)/hand_over.c
$(PROFILED_B)/tools/measure $(PROFILED_B)/tools/hand_over: $(PROFILED_B)/programs.flags $(GC_MUSL_READY)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROFILED_CFLAGS) -static -o $@ $(filter %.c,$^)
$(PROFILED_B)/stripped/%: $(PROFILED_B)/tools/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(PROFILED_B)/stripped/%: $(PROFILED_B)/bin/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
.PRECIOUS: $(PROFILED_B)/stripped/%

# --- what the machine loads, and what the extractor finds in it

$(PROFILED_B)/root/.%: $(PROFILED_B)/programs/%
	$(Q)mkdir -p $(@D)/bin
	$(Q)$(LINUX_CROSS)strip -g -o $(@D)/bin/$* $<; touch -d @0 $(@D)/bin/$*; touch $@
$(PROFILED_B)/root/.%-gprof: $(PROFILED_B)/gprof/%
	$(Q)mkdir -p $(@D)/gprof
	$(Q)$(LINUX_CROSS)strip -g -o $(@D)/gprof/$* $<; touch $@
.PRECIOUS: $(PROFILED_B)/root/.% $(PROFILED_B)/root/.%-gprof

# prof/PROGRAM/ is the folder for prof-inject: what is in it has the paths of the target.
$(PROFILED_B)/prof/.%: $(PROFILED_B)/root/.% $(B)/bin/prof-extract
	$(call say,PROF,$*)
	$(Q)rm -rf $(@D)/$*; mkdir -p $(@D)/$*
	$(Q)$(B)/bin/prof-extract -o $(@D)/$* --root $(PROFILED_B)/root $(PROFILED_B)/root/bin/$*
	$(Q)touch $@
.PRECIOUS: $(PROFILED_B)/prof/.%

# --- initramfs, device trees and lists for tr-match, relative to build/linux-prof

PROFILED_TOP_1 := '../target/firmware.elf firmware' '../linux-gc/vmlinux kernel' '../linux-gc/vdso.so.dbg user'
PROFILED_TOP_2 := '../target/firmware-smp.elf firmware' '../linux-gc-smp/vmlinux kernel' '../linux-gc-smp/vdso.so.dbg user'
PROFILED_TOOLS_process := prof-inject prof-counts
PROFILED_TOOLS_global := $(PROFILED_TOOLS_process)
# Where the program is, for the machine and with DWARF, and the stamp of what is loaded.
PROFILED_ROOT_normal = root/bin/$(1)
PROFILED_ROOT_gprof = root/gprof/$(1)
PROFILED_ROOT_process = root/bin/$(1)
PROFILED_ROOT_global = root/bin/$(1)
PROFILED_ELF_normal = programs/$(1) user
PROFILED_ELF_gprof = gprof/$(1) user
PROFILED_ELF_process = programs/$(1) user stubs=prof/$(1)/bin/$(1)
PROFILED_ELF_global = $(PROFILED_ELF_process)
PROFILED_STAMP_normal = root/.$(1)
PROFILED_STAMP_gprof = root/.$(1)-gprof
PROFILED_STAMP_process = prof/.$(1)
PROFILED_STAMP_global = prof/.$(1)
# The extractor's files, as arguments of initramfs.sh.
PROFILED_FOLDER_process = $$(cd $(PROFILED_B)/prof/$(1) && find * -type f -printf '/prof/%p=$(CURDIR)/$(PROFILED_B)/prof/$(1)/%p\n' | LC_ALL=C sort)
PROFILED_FOLDER_global = $(PROFILED_FOLDER_process)

# $(call profiled_run,PROGRAM,MODE)
define profiled_run
$(PROFILED_B)/$(1)-$(2).cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,measure hand_over $(PROFILED_TOOLS_$(2))) \
		$(PROFILED_B)/$(call PROFILED_STAMP_$(2),$(1)) $(PROFILED_INPUT_$(1):%=$(PROFILED_B)/inputs/%) $(PROFILED)/profiler.sh $(LINUX)/profiler.mk
	$$(call say,CPIO,$$@)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(addprefix $(PROFILED_B)/stripped/,measure hand_over $(PROFILED_TOOLS_$(2))) \
		$(PROFILED_B)/$(call PROFILED_ROOT_$(2),$(1)) $(PROFILED)/profiler.sh \
		$(foreach i,$(PROFILED_INPUT_$(1)),/$(i)=$(PROFILED_B)/inputs/$(i)) $$(call PROFILED_FOLDER_$(2),$(1)) > $$@
$(PROFILED_B)/$(1)-$(2)-%.dtb: $(LINUX)/soc.dts sim/soc.h $(LINUX)/profiler.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$$* -DISA='"rv64imafdc"' -DBOOTARGS='"quiet console=hvc0 -- /script $(1) $(2)"' $$< | \
		dtc -q -O dtb -o $$@
$(PROFILED_B)/$(1)-$(2)-%.lst: $(LINUX)/profiler.mk
	$(Q)mkdir -p $$(@D)
	$(Q)printf '%s\n' $$(PROFILED_TOP_$$*) '../linux-gc/root/init user' '../linux/busybox user' 'tools/measure user' \
		'tools/hand_over user' $(PROFILED_TOOLS_$(2):%='bin/% user') '$(call PROFILED_ELF_$(2),$(1))' > $$@
linux-prof-files: $(PROFILED_B)/$(1)-$(2).cpio $(foreach h,$(PROFILED_HARTS),$(PROFILED_B)/$(1)-$(2)-$(h).dtb $(PROFILED_B)/$(1)-$(2)-$(h).lst)
endef
$(foreach p,$(PROFILED_MEASURED) $(PROFILED_TESTS),$(foreach m,normal process global,$(eval $(call profiled_run,$(p),$(m)))))
$(foreach p,$(PROFILED_MEASURED),$(eval $(call profiled_run,$(p),gprof)))
linux-prof-files: $(GC_SMP_B)/vdso.so.dbg
