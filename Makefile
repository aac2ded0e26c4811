# SPDX-License-Identifier: Apache-2.0
# The only makefile; it includes fragments beside the sources. `make help` lists the
# targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

.DEFAULT_GOAL := all
include .ci/needs.mk

# SAN=1 builds with ASan and UBSan, SAN=thread with TSan, each in a folder of its own. V=1 shows
# commands.
ifeq ($(SAN),thread)
B := build/tsan
SANFLAGS := -fsanitize=thread
else ifdef SAN
B := build/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all
else
B := build
SANFLAGS :=
endif
# CORE=ooo builds soc-sim with the out-of-order core, CORE=inorder,ooo with a core for each of two
# harts, also in a folder of its own; all targets run the soc-sim that they build.
CORE := inorder
CORE_SUFFIX := $(if $(filter-out inorder,$(CORE)),-$(subst $(comma),-,$(CORE)))
ifneq ($(CORE),inorder)
B := $(B)/core$(CORE_SUFFIX)
endif
ifndef V
Q := @
say = @printf '  %-6s %s\n' $(1) $(2)
else
Q :=
say = @:
endif
WERROR := $(if $(CI),-Werror)

CC := gcc
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 $(if $(SAN),,-Wframe-larger-than=49152) \
	$(WERROR)
CPPFLAGS := -D_GNU_SOURCE -Ifilters/lib -I$(B)/embedded -Isim
CFLAGS := -std=c11 -O2 -g $(WARN) $(SANFLAGS)
LDFLAGS := -Wl,--as-needed $(SANFLAGS)
LDLIBS := -lzstd -lz -llzma -lxxhash -lelf -ldwarf -lfdt -liberty -lprotobuf-c -lyajl -lmicrohttpd -lsqlite3 -lpthread -lm

OBJS :=
.PHONY: all
all: ## Build all programs and their man pages (also without a target)

# Headers of libraries, and their packages. They are looked for when the flags are new.
HEADERS := stdio.h:libc6-dev zstd.h:libzstd-dev zlib.h:zlib1g-dev lzma.h:liblzma-dev xxhash.h:libxxhash-dev gelf.h:libelf-dev \
	libdwarf/libdwarf.h:libdwarf-dev libfdt.h:libfdt-dev libiberty/demangle.h:libiberty-dev protobuf-c/protobuf-c.h:libprotobuf-c-dev \
	microhttpd.h:libmicrohttpd-dev yajl/yajl_gen.h:libyajl-dev sqlite3.h:libsqlite3-dev
# $(call need_headers,COMPILER,HEADER:PACKAGE...)
need_headers = for header in $(2); do $(1) -E -include "$${header%:*}" -x c /dev/null > /dev/null 2>&1 || \
	{ echo "make: missing: $${header%:*} (package $${header\#\#*:}); make deps installs it" >&2; exit 1; }; done

# Programs and objects are rebuilt when the flags change.
FLAGS := $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(FLAGS)' | cmp -s - $@ || { $(call need_headers,$(CC),$(HEADERS)); echo '$(FLAGS)' > $@; }
.PHONY: FORCE
FORCE:

$(B)/obj/%.o: %.c $(B)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(CFLAGS_$(<)) -MMD -MP -c -o $@ $<

# $(call program,NAME,SOURCES[,FOLDER]): build/bin/NAME, or build/FOLDER/NAME, linked with
# the library. Benchmarks and tests are in build/tests.
define program
all: $(B)/$(or $(3),bin)/$(1)
OBJS += $(2:%.c=$(B)/obj/%.o)
$(B)/$(or $(3),bin)/$(1): $(2:%.c=$(B)/obj/%.o) $(B)/libtr.a
	$$(call say,LD,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$(CC) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) $$(LDLIBS)
endef

# man(1) searches the folder man beside a bin folder in PATH.
MAN_PAGES := $(wildcard filters/*.[15] sim/*/*.[157] sim/target/profiler/*.[15] pipelines/*.7)
MAN_BUILT := $(foreach p,$(MAN_PAGES),$(B)/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p)))
all: $(MAN_BUILT)
define man_page
$(B)/man/man$(subst .,,$(suffix $(1)))/$(notdir $(1)): $(1)
	$(Q)mkdir -p $$(@D); cp $$< $$@
endef
$(foreach p,$(MAN_PAGES),$(eval $(call man_page,$(p))))

include filters/filters.mk
include $(wildcard sim/run/run.mk sim/model/model.mk sim/functional/functional.mk sim/net/net.mk sim/lockstep/lockstep.mk sim/replay/replay.mk sim/target/target.mk sim/restore/restore.mk \
	sim/target/linux/linux.mk sim/target/profiler/profiler.mk rtl/rtl.mk sim/verilated/verilated.mk rtl/trace/trace.mk)
# Fragments whose variables others use come first.
PIPELINES := pipelines/profile.mk pipelines/area.mk pipelines/demo.mk pipelines/linux.mk pipelines/linux-debian.mk pipelines/tma.mk pipelines/fireperf.mk
include $(PIPELINES) $(filter-out $(PIPELINES),$(wildcard pipelines/*.mk))
include tests/tests.mk

-include $(OBJS:.o=.d)

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf build

# $(call without_spaces,WHAT): ends the recipe in a folder whose name has spaces, where the
# makefiles of others do not work.
define without_spaces
	@[ $(words $(CURDIR)) = 1 ] || \
		{ printf '%s: %s cannot be built in a folder whose name has spaces\n' "$$PWD" '$(1)' >&2; exit 1; }
endef

# What is installed. MARCH (see sim/verilated/verilated.mk) is the processor that runs it.
PREFIX := /usr/local
LIBDIR := $(PREFIX)/lib
VERSION = $(shell sed -n 's/.*define TR_VERSION "\(.*\)"/\1/p' filters/lib/cli/cli.h)
INSTALLED_PROGRAMS := $(FILTERS) prof-counts prof-extract prof-log soc-model soc-net soc-restore soc-sim
PUBLIC_HEADERS := base/buffer.h base/status.h $(addprefix stream/,classes.h counters.h decode.h frame.h header.h isa.h mode.h marks.h probes.h reader.h sp.h stream.h writer.h)
INSTALLED_FIRMWARE = $(addprefix $(TARGET_B)/,firmware.elf firmware-smp.elf)
# For tr-profile --linux; kernel and BusyBox only if they are built.
INSTALLED_LINUX = $(addprefix $(TARGET_B)/,firmware.elf first.elf) $(wildcard $(GC_B)/vmlinux $(LINUX_B)/busybox)
# With what they refer to, in the same folders.
DOCUMENTS := $(wildcard *.md pipelines/*.md rtl/*.md rtl/*.svg rtl/*/*.md rtl/core/*/*.md sim/*.md sim/target/profiler/*.md tests/*.md) golden/pipeline/hello_world.svg
# Where, as variables of the shell: these paths may have spaces.
install uninstall: export INSTALL_AT = $(DESTDIR)$(PREFIX)
install uninstall: export LIB_AT = $(DESTDIR)$(LIBDIR)
COMPLETIONS := share/bash-completion/completions
define PKG_CONFIG_FILE
prefix=$(PREFIX)
includedir=$${prefix}/include/tr-profiler
libdir=$(LIBDIR)

Name: tr-profiler
Description: reads and writes instruction-commit traces of RISC-V hardware
Version: $(VERSION)
Cflags: -I"$${includedir}"
Libs: -L"$${libdir}" -ltrstream $(STREAM_LIBS)
endef
.PHONY: programs install
programs: $(INSTALLED_PROGRAMS:%=$(B)/bin/%) $(B)/libtrstream.a $(TRACE_LIBS) $(INSTALLED_FIRMWARE) $(TARGET_B)/first.elf ## Build what is installed
install: export PKG_CONFIG = $(PKG_CONFIG_FILE)
install: programs ## Install into PREFIX (/usr/local), below DESTDIR if set
	install -d "$$INSTALL_AT"/{bin,share/doc/tr-profiler} "$$LIB_AT"/{pkgconfig,tr-profiler}
	install -m 755 $(INSTALLED_PROGRAMS:%=$(B)/bin/%) "$$INSTALL_AT/bin"
	for page in $(MAN_PAGES); do install -D -m 644 -t "$$INSTALL_AT/share/man/man$${page##*.}" $$page; done
	for header in $(PUBLIC_HEADERS); do \
		install -D -m 644 filters/lib/$$header "$$INSTALL_AT/include/tr-profiler/$$header"; done
	install -m 644 $(B)/libtrstream.a $(B)/lib/libtr_trace.a "$$LIB_AT"
	install -m 644 $(B)/lib/libtr_trace.so "$$LIB_AT/tr-profiler"
	install -D -m 644 -t "$$LIB_AT/tr-profiler/trace" rtl/trace/*.{sv,v,awk} rtl/trace/README.md rtl/trace/example/bind.sv
	install -D -m 644 -t "$$LIB_AT/tr-profiler/trace/vhdl" rtl/trace/vhdl/*.{vhd,c}
	install -m 644 rtl/trace/tr_trace.h include/tr-profiler/mark.h "$$INSTALL_AT/include/tr-profiler"
	printf '%s\n' "$$PKG_CONFIG" | install -m 644 /dev/stdin "$$LIB_AT/pkgconfig/tr-profiler.pc"
	install -m 644 $(INSTALLED_FIRMWARE) "$$LIB_AT/tr-profiler"
	for document in $(DOCUMENTS); do install -D -m 644 $$document "$$INSTALL_AT/share/doc/tr-profiler/$$document"; done
	install -D -m 644 -t "$$INSTALL_AT/share/tr-profiler" $(wildcard filters/lib/probe/*.probes)
	install -D -m 644 -t "$$INSTALL_AT/share/tr-profiler/linux" $(INSTALLED_LINUX)
	install -D -m 644 filters/completion.bash "$$INSTALL_AT/$(COMPLETIONS)/tr-profile"
	for program in $(filter-out tr-profile,$(INSTALLED_PROGRAMS)); do \
		ln -sf tr-profile "$$INSTALL_AT/$(COMPLETIONS)/$$program"; done

.PHONY: uninstall
uninstall: ## Remove what `make install` with the same PREFIX has installed
	for file in $(addprefix bin/,$(INSTALLED_PROGRAMS)) $(addprefix $(COMPLETIONS)/,$(INSTALLED_PROGRAMS)) \
		$(foreach p,$(MAN_PAGES),share/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p))); do rm -f -- "$$INSTALL_AT/$$file"; done
	rm -f -- "$$LIB_AT"/{libtrstream.a,libtr_trace.a,pkgconfig/tr-profiler.pc}
	rm -rf -- "$$LIB_AT/tr-profiler" "$$INSTALL_AT"/{include/tr-profiler,share/doc/tr-profiler,share/tr-profiler}

.PHONY: dist
dist: ## Write the committed sources to build/tr-profiler-VERSION.tar.xz
	@mkdir -p build
	@git diff --quiet HEAD || echo '  NOTE   changes that are not committed are left out' >&2
	git archive --prefix=tr-profiler-$(VERSION)/ HEAD | xz -T1 > build/tr-profiler-$(VERSION).tar.xz

.PHONY: deps deps-build
deps: PACKAGES = $(shell sed 's/\#.*//' .ci/packages.txt) ## Install the Debian packages that are missing (asks for root)
deps-build: PACKAGES = $(shell sed -n '/^\#\#/q; s/\#.*//; p' .ci/packages.txt) ## Install only the packages that `make` needs
deps deps-build:
	@# Another package may provide one of them: the nodejs of its authors has npm.
	@installed=$$(dpkg-query -W -f='$${db:Status-Abbrev}$${Package}, $${Provides}\n' \
		| sed -n 's/^[hi]i *//p' | tr ',' '\n' | sed 's/^ *//; s/ .*//'); \
	missing=$$(for p in $(PACKAGES); do grep -qxF -- $$p <<< "$$installed" || echo $$p; done); \
	[ -z "$$missing" ] && exit 0; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	[ -z "$$sudo" ] || command -v sudo > /dev/null || { echo 'make: missing: sudo; as root: make $@' >&2; exit 1; }; \
	$$sudo apt-get update -qq; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing

# Of C and C++. Not those of build/, nor headers that the assembler reads, nor the program
# whose lines are in recorded runs.
C_SOURCES = $$(find * \( -path build -o -path debian \) -prune -o \( -name '*.c' -o -name '*.cc' -o -name '*.h' \) ! -path 'tests/isa/*.h' ! -path '*/gallery/cxx.cc' -print)
.PHONY: format
format: ## Format all C and C++ sources in place
	clang-format-14 -i $(C_SOURCES)
.PHONY: format-check
format-check: ## Fail if a C or C++ source is not formatted
	clang-format-14 --dry-run -Werror $(C_SOURCES)
	@echo "format: $$(ls $(C_SOURCES) | wc -l) files"

# The groups of `make help`: names of targets, or patterns, each target in one of them.
HELP_GROUPS := Main Build Tests Nightly Truth Linux Papers Speed
HELP_Main := all clean demo deps deps-build dist help install nightly programs sweep test uninstall
HELP_Build := format isa small-core soc-sim-% target test-build
HELP_Nightly := area fuzz test-slurm test-sample-coverage test-cli-cores test-cli-everywhere test-ooo-long isa-qemu mutants mutants-% random-coverage shellcheck format-check soak soak-% test-threads test-view test-targets-clean
HELP_Tests = $(filter-out $(HELP_Build) $(HELP_Nightly),$(filter test-% golden golden-% rtl-% trace-lint,$(HELP_NAMES)))
HELP_Truth := lockstep-% replay-linux restore-linux resume-linux sample-check sample-seeds truth truth-%
HELP_Papers := big-little fireperf fireperf-% fmr linux-tma perturb thesis thesis-% tma tma-%
HELP_Linux = gallery $(filter-out $(HELP_Papers),$(filter linux linux-%,$(HELP_NAMES)))
HELP_Speed := bench bench-%
HELP_NAMES = $(shell sed -nE 's/^([a-z0-9.-]+):.* \#\# .*/\1/p' $(MAKEFILE_LIST))
HELP_REST = $(filter-out $(foreach g,$(HELP_GROUPS),$(HELP_$(g))),$(HELP_NAMES))
# $(call help_group,TITLE,NAMES)
help_group = printf '\n%s\n' '$(1)'; awk -F '\t' -v names=' $(2) ' 'index(names, " " $$1 " ") { printf "  %-22s %s\n", $$1, $$2 }' \
	<<< "$$all";
.PHONY: help
help: ## List the targets
	@all=$$(sed -nE 's/^([a-z0-9.-]+):.* ## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | LC_ALL=C sort); echo 'make TARGET'; \
	$(foreach g,$(HELP_GROUPS),$(call help_group,$(g),$(filter $(HELP_$(g)),$(HELP_NAMES)))) \
	$(if $(HELP_REST),$(call help_group,In no group,$(HELP_REST)))
