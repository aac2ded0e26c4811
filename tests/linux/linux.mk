# SPDX-License-Identifier: Apache-2.0
# The pipeline on pieces of Linux runs that are kept in golden/linux, which need neither
# kernel nor programs. truth: an exec, the end of a thread, nested signals, page faults,
# interrupts. Of the gallery, in shared libraries at random addresses: dynamic, lazy binding
# and callbacks; cxx, exceptions; musl, its loader and main; go, goroutines. perl is that of
# a distribution, stripped; few of its functions have names, and of libm too little runs here
# to be found. smp: two harts of the model; threads and a child that move between them. lua:
# functions of Lua on the stacks, by probes (tests/interpreters/).

LINUX_PIECES := dynamic:30300k:30620k cxx:51600k:52000k musl:19400k:19800k go:30700k:31100k
LINUX_PIECE_SMP := 7744001 7795200

.PHONY: test-linux golden-linux
test-linux: $(FILTERS:%=$(B)/bin/%) ## Run the pipeline on pieces of Linux runs
	$(Q)BIN=$(B)/bin tests/linux/run.sh
golden-linux: linux linux-gc linux-smp-build $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-sim ## Record the pieces of Linux runs again; shows the change
	$(Q)[ -z "$(CI)" ] && BIN=$(B)/bin tests/linux/extract.sh truth --ram 64M --start cycle=28700000 --stop cycle=29530000 \
		$(FW) $(LINUX_B)/vmlinux $(LINUX_B)/truth.elf -- --bins $(LINUX_B)/truth.lst
	$(Q)SIMULATOR=soc-model BIN=$(B)/bin tests/linux/extract.sh smp --harts 2 --ram 64M \
		--start cycle=$(firstword $(LINUX_PIECE_SMP)) --stop cycle=$(lastword $(LINUX_PIECE_SMP)) \
		--dtb $(SMP_B)/move-2.dtb --initrd $(SMP_B)/move.cpio $(TARGET_B)/firmware-smp.elf $(SMP_B)/vmlinux \
		-- --bins $(SMP_B)/move.lst
	$(Q)for piece in $(LINUX_PIECES); do IFS=: read -r name start stop <<< "$$piece"; \
		BIN=$(B)/bin tests/linux/extract.sh $$name --isa rv64gc --ram 64M --start cycle=$$start --stop cycle=$$stop \
			--dtb $(GC_B)/$$name-1.dtb --initrd $(GC_B)/$$name.cpio $(FW) $(GC_B)/vmlinux \
			-- --bins $(GC_B)/system.lst --sysroot $(GC_B)/root; done
	$(Q)BIN=$(B)/bin tests/linux/run.sh golden
.PHONY: golden-linux-debian
golden-linux-debian: linux-debian-perl ## Record the piece of Debian's perl again; shows the change
	$(Q)[ -z "$(CI)" ] && BIN=$(B)/bin tests/linux/extract.sh perl --resume $(DEBIAN)/perl/start.checkpoint \
		--start cycle=700000k --stop cycle=700400k -- --bins $(DEBIAN)/programs.lst --sysroot $(DEBIAN)/sysroot
	$(Q)BIN=$(B)/bin tests/linux/run.sh golden

# The tables with BTF in place of DWARF.
.PHONY: test-btf
test-btf: linux $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model ## Compare tables of Linux from BTF with those from DWARF
	$(Q)BIN=$(B)/bin tests/linux/btf.sh $(FW) $(LINUX_B)/vmlinux $(LINUX_B)/truth.elf $(LINUX_B)/truth.lst

# Programs that are built for it, on the kernel of `make linux-kernel`.
.PHONY: test-program
test-program: linux-kernel $(FILTERS:%=$(B)/bin/%) $(addprefix $(B)/bin/,soc-model soc-sim) $(addprefix $(SMALL)/,sim example.hex) ## Run tr-profile --linux on programs in C, C++ and Rust
	$(Q)BIN=$(B)/bin RUST_FOLDER=$(B)/rust tests/linux/program.sh
	$(Q)LINUX=1 BIN=$(B)/bin tests/pipeline/tutorial.sh

# One that is sampled, beside its whole run on the hardware.
.PHONY: test-sampled-program
test-sampled-program: linux-kernel $(FILTERS:%=$(B)/bin/%) $(addprefix $(B)/bin/,soc-model soc-sim) ## Compare tr-profile --linux --sample with a whole run
	$(Q)BIN=$(B)/bin tests/linux/sampled.sh

# Those of a distribution, from its packages.
.PHONY: test-debian-programs
test-debian-programs: linux-kernel $(FILTERS:%=$(B)/bin/%) $(addprefix $(B)/bin/,soc-model soc-sim) ## Run tr-profile --linux on programs of Debian's packages
	$(Q)BIN=$(B)/bin FOLDER=$(DEBIAN_ADDED)-test tests/linux/debian-programs.sh

# Allocations of programs with forks, of C and C++.
.PHONY: test-allocations
test-allocations: linux-kernel $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model ## Run tr-report memory --by heap on programs under Linux
	$(Q)BIN=$(B)/bin tests/linux/allocations.sh

# A just-in-time compiler, in Debian's Node.js.
.PHONY: test-jit-node
test-jit-node: linux-kernel $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model ## Run tr-profile --linux --jit on Debian's Node.js
	$(Q)BIN=$(B)/bin FOLDER=$(DEBIAN_ADDED)-jit tests/linux/jit-node.sh
