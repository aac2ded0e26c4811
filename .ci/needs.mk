# SPDX-License-Identifier: Apache-2.0
# What targets need that may not be installed. It is checked before anything is built: if a
# target on the command line lacks something, make ends with one line that names it. The table has
# what recipes and tests run; the headers of libraries are checked when the first file is compiled.

NEEDS_GOALS := $(or $(MAKECMDGOALS),all)
NEEDS_ALL :=
NEEDS_TABLE :=
# $(call needs,PROGRAM OR FILE,PACKAGE,TARGETS): a row; TARGETS are names or patterns.
define needs
NEEDS_TABLE += $(1):$(2):$(subst $(space),$(comma),$(strip $(3)))
NEEDS_ALL += $(if $(filter $(3),$(NEEDS_GOALS)),$(1):$(2))
endef
comma := ,
empty :=
space := $(empty) $(empty)

NEEDS_CLI := test-cli test-cli-cores golden test
NEEDS_LINUX := big-little linux linux-big-little linux-boot linux-busybox linux-hello linux-iperf3 linux-demo linux-init linux-kernel linux-shell linux-tma linux-tree test-program test-sampled-program test-allocations test-debian-programs test-jit-node test-lua test-lua-hardware test-python golden-linux-lua \
	linux-smp linux-smp-build linux-net linux-net-smp truth-linux truth-linux-% truth-addresses truth-calls truth-tasks truth-tasks-5.10 truth-off-cpu truth-waits \
	lockstep-linux lockstep-linux-smp resume-linux restore-linux replay-linux sample-check sample-seeds bench-cores bench-explore bench-linux bench-replay soak-linux golden-linux test-btf fireperf fireperf-%
NEEDS_GALLERY := gallery gallery-% linux-gc linux-gc-smp linux-go linux-go-% linux-prof perturb perturb-% golden-perturb thesis-% truth-gallery truth-gallery-% truth-bases \
	test-daemon test-inject test-log-target test-sampler truth-attach-% truth-log truth-log-% truth-profiler truth-profiler-% \
	linux-daemon thesis bench-linux golden-linux
NEEDS_DEBIAN := linux-debian linux-debian-% truth-debian truth-debian-% truth-tasks-debian golden-linux-debian test-debian-programs test-jit-node
NEEDS_SIMULATOR := all demo programs sweep install small-core trace-lint rtl-% soc-sim-% fmr tma tma-% area isa-% random-coverage mutants mutants-% \
	bench bench-% soak soak-% fuzz test test-% nightly golden golden-pipeline golden-trace-core truth truth-% $(NEEDS_LINUX) $(NEEDS_GALLERY) \
	$(NEEDS_DEBIAN)
NEEDS_BUILD := target isa $(filter-out trace-lint rtl-%,$(NEEDS_SIMULATOR))

# What make itself needs: `make deps-build` installs it.
$(eval $(call needs,$(if $(filter command,$(firstword $(origin CC))),$(firstword $(CC)),gcc),gcc,$(NEEDS_BUILD)))
$(eval $(call needs,g++,g++,$(NEEDS_BUILD)))
$(eval $(call needs,protoc-c,protobuf-c-compiler,$(filter-out target isa,$(NEEDS_BUILD))))
$(eval $(call needs,verilator,verilator,$(NEEDS_SIMULATOR)))
$(eval $(call needs,riscv64-unknown-elf-gcc,gcc-riscv64-unknown-elf,$(NEEDS_BUILD)))
$(eval $(call needs,riscv64-unknown-elf-objcopy,binutils-riscv64-unknown-elf,$(NEEDS_BUILD)))

# Tests.
$(eval $(call needs,zstd,zstd,$(NEEDS_CLI) mutants))
$(eval $(call needs,xz,xz-utils,$(NEEDS_CLI) dist $(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,llvm-profdata,llvm,$(NEEDS_CLI)))
$(eval $(call needs,clang-14,clang-14,$(NEEDS_CLI)))
$(eval $(call needs,pahole,dwarves,$(NEEDS_CLI) fuzz soak test-btf))
$(eval $(call needs,iverilog,iverilog,$(NEEDS_CLI)))
$(eval $(call needs,ghdl,ghdl,$(NEEDS_CLI)))
$(eval $(call needs,man,man-db,$(NEEDS_CLI) test-install))
$(eval $(call needs,protoc,protobuf-compiler,$(NEEDS_CLI) test-timeline))
$(eval $(call needs,python3,python3,$(NEEDS_CLI) test-timeline test-slurm))
$(eval $(call needs,pkg-config,pkg-config,test test-install))
$(eval $(call needs,dh_install,debhelper,test-package))
$(eval $(call needs,lintian,lintian,test-package))
$(eval $(call needs,tcpdump,tcpdump,test test-net test-fireperf fireperf fireperf-%))
$(eval $(call needs,llvm-mc-19,llvm-19,test test-decode))
$(eval $(call needs,qemu-system-riscv64,qemu-system-misc,test test-cli golden test-trace-core isa-qemu restore-linux bench))
$(eval $(call needs,/usr/sbin/slurmctld,slurm-wlm,test-slurm))
$(eval $(call needs,gdb-multiarch,gdb-multiarch,test test-gdb))
$(eval $(call needs,chromium,chromium,test test-browser test-speedscope bench-explore))
$(eval $(call needs,node,nodejs,$(NEEDS_CLI) test-browser test-speedscope bench-explore))
$(eval $(call needs,npm,npm,test test-speedscope))
$(eval $(call needs,yosys,yosys,test rtl-synth-check area))
$(eval $(call needs,valgrind,valgrind,bench bench-instructions bench-nic bench-net bench-smp))
$(eval $(call needs,afl-clang-fast,afl++,fuzz soak))
$(eval $(call needs,clang-format-14,clang-format-14,format format-check))
$(eval $(call needs,shellcheck,shellcheck,shellcheck))

# Linux.
$(eval $(call needs,riscv64-linux-gnu-gcc,gcc-riscv64-linux-gnu,test test-unit test-cli test-profiler test-timeline golden fuzz soak mutants $(NEEDS_LINUX) $(NEEDS_GALLERY) \
	$(NEEDS_DEBIAN)))
$(eval $(call needs,riscv64-linux-gnu-g++,g++-riscv64-linux-gnu,test-program $(NEEDS_GALLERY)))
$(eval $(call needs,go,golang-go,$(NEEDS_GALLERY)))
$(eval $(call needs,flex,flex,$(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,bison,bison,$(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,bc,bc,$(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,bzip2,bzip2,$(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,patch,patch,$(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,dtc,device-tree-compiler,$(NEEDS_CLI) $(NEEDS_LINUX) $(NEEDS_GALLERY) $(NEEDS_DEBIAN)))
$(eval $(call needs,cpio,cpio,$(NEEDS_CLI) perturb perturb-% $(NEEDS_DEBIAN)))
$(eval $(call needs,/usr/src/linux-source-6.1.tar.xz,linux-source-6.1,$(NEEDS_LINUX) $(NEEDS_GALLERY)))
$(eval $(call needs,/usr/riscv64-linux-gnu/lib/libc.so.6,libc6-dev-riscv64-cross,test-program test-lua test-lua-hardware test-python golden-linux-lua $(NEEDS_GALLERY)))
$(eval $(call needs,/usr/sbin/mke2fs,e2fsprogs,test-program))
$(eval $(call needs,/usr/share/keyrings/debian-archive-keyring.gpg,debian-archive-keyring,$(NEEDS_DEBIAN)))

NEEDS_MISSING := $(if $(strip $(NEEDS_ALL)),$(shell missing=; for row in $(NEEDS_ALL); do what=$${row%:*} package=$${row##*:}; \
	[ -e "$$what" ] || command -v "$$what" > /dev/null || { [ "$$what" = "$$package" ] || what+=" (package $$package)"; \
		missing+="$${missing:+, }$$what"; }; done; echo "$$missing"))
ifneq ($(NEEDS_MISSING),)
$(error missing: $(NEEDS_MISSING); make deps installs it)
endif

# For the test of this table.
.PHONY: needs-table
needs-table:
	@printf '%s\n' $(NEEDS_TABLE)
