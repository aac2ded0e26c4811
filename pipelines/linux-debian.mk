# SPDX-License-Identifier: Apache-2.0
# `make linux-debian`: the unmodified kernel of Debian 13, from reset to power-off on the
# functional model, and its first instructions on the hardware.
#
# The packages come from apt's configured mirror. apt keeps its lists and state in
# build/linux-debian/RELEASE/apt/, apart from the machine's own, and its signed index
# authenticates the packages. The newest kernel of the release is taken and kept until the
# folder is removed. The package with debug information is 9 GB unpacked; only what is used
# is extracted from it, and the package is deleted. DEBIAN_RELEASE selects another release,
# whose folder is another one: `make linux-debian DEBIAN_RELEASE=testing`. linux-debian-programs.mk
# has Debian's programs.

DEBIAN_RELEASE := trixie
DEBIAN := build/linux-debian/$(DEBIAN_RELEASE)
DEBIAN_KEYS := /usr/share/keyrings/debian-archive-keyring.gpg
DEBIAN_IMAGE := linux-image-riscv64
DEBIAN_RUNS := model hardware
DEBIAN_OWN := joined.svg functions.txt summary.txt
DEBIAN_RUN := --ram 256M $(FW) $(DEBIAN)/Image@0x80200000 --dtb $(DEBIAN)/soc.dtb --initrd $(DEBIAN)/init.cpio
DEBIAN_LIMIT := 100M

# Of each run: the simulator, its options, the files that they name besides Image and
# firmware; the list of binaries; the title; the end, if not power-off.
DEBIAN_SIM_model := $(B)/bin/soc-model
DEBIAN_SIM_hardware := $(B)/bin/soc-sim
DEBIAN_OPTIONS_model := $(DEBIAN_RUN)
DEBIAN_OPTIONS_hardware := --max-instructions $(DEBIAN_LIMIT) $(DEBIAN_RUN)
DEBIAN_END_hardware := limit
define debian_kernel_run
DEBIAN_NEEDS_$(1) := $(DEBIAN)/soc.dtb $(DEBIAN)/init.cpio
DEBIAN_LISTED_$(1) := $(DEBIAN)/init $(DEBIAN)/bins.lst
DEBIAN_MATCH_$(1) := --bins $(DEBIAN)/bins.lst
DEBIAN_TITLE_$(1) = Debian's kernel, $$$$(cat $(DEBIAN)/package), on the $(1)
endef
$(foreach r,$(DEBIAN_RUNS),$(eval $(call debian_kernel_run,$(r))))

.PHONY: linux-debian
linux-debian: ## Debian's kernel (1.2 GB, once), or PACKAGES=...: its programs
ifneq ($(PACKAGES),)
linux-debian: linux-debian-packages
else
linux-debian: $(DEBIAN_SIM_model) $(DEBIAN_SIM_hardware) $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) --no-print-directory $(foreach r,$(DEBIAN_RUNS),$(DEBIAN_OWN:%=$(DEBIAN)/$(r)/%))
	@$(call debian_show,$(DEBIAN_RUNS),the kernel and the firmware)
endif

# $(call debian_show,RUNS,TEXT): prints the results, and fails if a limit is not met.
debian_show = echo; cat $(1:%=$(DEBIAN)/%/summary.txt); printf 'open %s ($(2) on one picture)\n' \
	$(1:%=$(DEBIAN)/%/joined.svg); ! grep -h 'not met' $(1:%=$(DEBIAN)/%/summary.txt) > /dev/null

# --- packages

DEBIAN_APT := $(CURDIR)/$(DEBIAN)/apt
debian_apt = $(1) -qq -o Dir::State=$(DEBIAN_APT) -o Dir::State::status=$(DEBIAN_APT)/status \
	-o Dir::Cache=$(DEBIAN_APT)/cache -o Dir::Etc::sourcelist=$(DEBIAN_APT)/sources.list \
	-o Dir::Etc::sourceparts=$(DEBIAN_APT)/none -o Dir::Etc::preferencesparts=$(DEBIAN_APT)/none \
	-o Dir::Etc::preferences=$(DEBIAN_APT)/none/none \
	-o APT::Architecture=riscv64 -o APT::Architectures::=riscv64 -o APT::Sandbox::User= \
	-o Acquire::Retries=5 -o Acquire::Languages=none

# The mirror of this machine's own release has the other releases as well.
$(DEBIAN)/apt/sources.list:
	$(Q)mkdir -p $(@D)/lists/partial $(@D)/cache/archives/partial $(@D)/none; touch $(@D)/status
	$(Q)codename=$$(. /etc/os-release; echo "$$VERSION_CODENAME"); \
	uri=$$(apt-get indextargets --format '$$(RELEASE) $$(REPO_URI)' 'Created-By: Packages' | \
		awk -v name="$$codename" '$$1 == name && !uri { uri = $$2 } END { print uri }'); \
	[ -n "$$uri" ] || { echo "apt has no mirror of $$codename: apt-get update" >&2; exit 1; }; \
	echo "deb [arch=riscv64 signed-by=$(DEBIAN_KEYS)] $$uri $(DEBIAN_RELEASE) main" > $@

# The package that the newest one depends on. Its debug information has the same version.
$(DEBIAN)/package: $(DEBIAN)/apt/sources.list
	$(call say,FETCH,"the index of $(DEBIAN_RELEASE)")
	$(Q)for wait in 10 20 30 fail; do $(call debian_apt,apt-get) update 2> $(@D)/apt.log && break; \
		[ $$wait != fail ] && sleep $$wait || { rm -r $(@D)/apt; \
			echo "make: apt cannot read the index of $(DEBIAN_RELEASE), see $(@D)/apt.log: later, or DEBIAN_RELEASE=testing" >&2; exit 1; }; done
	$(Q)$(call debian_apt,apt-cache) depends $(DEBIAN_IMAGE) | awk '$$1 == "Depends:" && $$2 ~ /^linux-image-/ \
		{ print $$2; found = 1 } END { exit !found }' > $@

# $(call debian_part,PART): prints the name of the package with one part of the kernel,
# "binary" or "modules". Until Debian 13 there was one package with all of it.
debian_part = part=$$(sed 's/^linux-image-/linux-$(1)-/' $(DEBIAN)/package); \
	$(call debian_apt,apt-cache) show $$part 2> /dev/null | grep . > /dev/null && echo $$part || cat $(DEBIAN)/package

# $(call debian_unpack,COMMAND,PATTERN...): extracts the files that match a pattern, from
# the package whose name COMMAND prints, into the folder of $@. Some patterns match in no
# release.
define debian_unpack
$(call say,FETCH,"the package for $(@D)")
$(Q)package=$$($(1)); mkdir -p $(DEBIAN)/download $(@D); cd $(DEBIAN)/download; rm -f *.deb; \
	$(call debian_apt,apt-get) download $$package
$(call say,UNPACK,$(@D))
$(Q)tar -x -C $(@D) --wildcards -f <(dpkg-deb --fsys-tarfile $(DEBIAN)/download/*.deb) $(2) 2> $(@D).log || \
	! grep -v ': Not found in archive$$\|: Exiting with failure status' $(@D).log >&2
$(Q)rm -r $(DEBIAN)/download $(@D).log; touch $@
endef
DEBIAN_MODULES := drivers/block/brd fs/ext4/ext4 fs/jbd2/jbd2 fs/mbcache lib/*crc16
# The download folder is shared: one download after the other.
$(DEBIAN)/kernel/.unpacked: $(DEBIAN)/package
	$(call debian_unpack,$(call debian_part,binary),'./boot/vmlinux-*' './usr/lib/modules/*/vmlinuz')
$(DEBIAN)/debug/.unpacked: $(DEBIAN)/package | $(DEBIAN)/kernel/.unpacked
	$(call debian_unpack,echo $$(cat $(DEBIAN)/package)-dbg,'./usr/lib/debug/boot/vmlinux-*' \
		'./usr/lib/debug/lib/modules/*/vmlinux' \
		$(DEBIAN_MODULES:%='./usr/lib/debug/lib/modules/*/kernel/%.ko'))
$(DEBIAN)/Image: $(DEBIAN)/kernel/.unpacked
	$(Q)ln -f $$(find $(<D) -type f -name 'vmlinu[xz]*') $@
$(DEBIAN)/vmlinux: $(DEBIAN)/debug/.unpacked
	$(Q)ln -f $$(find $(<D) -type f -name 'vmlinux*') $@

# --- device tree, init program and list of binaries

$(DEBIAN)/soc.dtb: $(TARGET)/debian/soc.dts sim/soc.h
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) $< | dtc -q -O dtb -o $@
$(DEBIAN)/init: $(TARGET)/debian/init.S
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) -march=rv64imac -mabi=lp64 -g -nostdlib -static -Wl,--build-id=sha1 -o $@ $<
$(DEBIAN)/init.cpio: $(DEBIAN)/init
	$(Q)mkdir -p $(DEBIAN)/root; $(TARGET_OBJCOPY) --strip-all $< $(DEBIAN)/root/init; \
	chmod 755 $(DEBIAN)/root/init; touch -d @0 $(DEBIAN)/root/init
	$(Q)cd $(DEBIAN)/root; echo init | cpio --quiet --reproducible -o -H newc -R 0:0 > $(CURDIR)/$@
$(DEBIAN)/bins.lst: pipelines/linux-debian.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '../../target/firmware.elf firmware' 'vmlinux kernel' 'init user' > $@

# --- runs, also those of linux-debian-programs.mk

# $(call debian_run,RUN): the trace. Standard output is the console.
define debian_run
$(addprefix $(DEBIAN)/$(1)/,run.tr console.txt run.log seconds.txt) &: $(FW) $(DEBIAN)/Image $(DEBIAN_NEEDS_$(1)) $(DEBIAN_SIM_$(1)) \
		$(B)/bin/tr-capture
	$$(call say,RUN,$$(@D)/run.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)TIMEFORMAT='wall %R cpu %U'; { time $(B)/bin/tr-capture -o $$(@D)/run.tr -- $(DEBIAN_SIM_$(1)) $(DEBIAN_OPTIONS_$(1)) \
		< /dev/null > $$(@D)/console.txt 2> $$(@D)/run.log; } 2> $$(@D)/seconds.txt || { cat $$(@D)/run.log >&2; exit 1; }
$(call profile_rules,$(DEBIAN)/$(1),"$$(DEBIAN_TITLE_$(1))",$(DEBIAN)/vmlinux $(DEBIAN_LISTED_$(1)),-v $(DEBIAN_MATCH_$(1)))
.SECONDARY: $(addprefix $(DEBIAN)/$(1)/,$(PROFILE_KEPT))
endef
$(foreach r,$(DEBIAN_RUNS),$(eval $(call debian_run,$(r))))

$(DEBIAN)/%/summary.txt: $(foreach f,joined.svg fold.log match.log unwind.log run.tr run.stacks.tr console.txt seconds.txt,$(DEBIAN)/%/$(f)) $(B)/bin/tr-info \
		pipelines/linux-summary.awk pipelines/linux-debian.awk
	$(Q){ sed 's/^/seconds /' $(@D)/seconds.txt; $(B)/bin/tr-info $(@D)/run.tr | sed 's/^/info /'; \
	$(B)/bin/tr-info $(@D)/run.stacks.tr | sed -n 's/ *unwind_nameless_instructions/nameless/p'; \
	cat $(@D)/match.log $(@D)/unwind.log $(@D)/fold.log; $(or $(DEBIAN_CHECK_$*),:); } | \
		awk -v title="$(DEBIAN_TITLE_$*)" -v end=$(or $(DEBIAN_END_$*),power-off) \
		-f pipelines/linux-summary.awk -f pipelines/linux-debian.awk > $@
