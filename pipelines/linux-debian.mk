# SPDX-License-Identifier: Apache-2.0
# `make linux-debian`: the unmodified kernel of Debian 13, from reset to power-off on the
# functional model, and its first instructions on the hardware.
#
# The packages come from apt's configured mirror. apt keeps its lists and state in
# build/linux-debian/apt/, apart from the machine's own, and its signed index
# authenticates the packages. The newest kernel of the release is taken and kept until the
# folder is removed. The package with debug information is 9 GB unpacked; only vmlinux is
# extracted from it, and the package is deleted. DEBIAN_RELEASE selects another release,
# in a fresh folder: `make linux-debian DEBIAN_RELEASE=testing`.

DEBIAN := build/linux-debian
DEBIAN_RELEASE := trixie
DEBIAN_KEYS := /usr/share/keyrings/debian-archive-keyring.gpg
DEBIAN_IMAGE := linux-image-riscv64
DEBIAN_RUNS := model hardware
DEBIAN_OWN := joined.svg functions.txt summary.txt
DEBIAN_RUN := --ram 256M $(FW) $(DEBIAN)/Image@0x80200000 --dtb $(DEBIAN)/soc.dtb --initrd $(DEBIAN)/init.cpio
DEBIAN_SIM_model := $(B)/bin/soc-model
DEBIAN_SIM_hardware := $(B)/bin/soc-sim
DEBIAN_LIMIT := 100M
DEBIAN_LIMIT_hardware := --max-instructions $(DEBIAN_LIMIT)
DEBIAN_END_model := power-off
DEBIAN_END_hardware := limit

.PHONY: linux-debian
linux-debian: ## Boot Debian's kernel on the model, and 100 M instructions on the hardware (1.2 GB of packages, once)
linux-debian: $(DEBIAN_SIM_model) $(DEBIAN_SIM_hardware) $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) --no-print-directory $(foreach r,$(DEBIAN_RUNS),$(DEBIAN_OWN:%=$(DEBIAN)/$(r)/%))
	@echo; cat $(DEBIAN_RUNS:%=$(DEBIAN)/%/summary.txt); \
	printf 'open %s (the kernel and the firmware on one picture)\n' $(DEBIAN_RUNS:%=$(DEBIAN)/%/joined.svg); \
	! grep -h 'not met' $(DEBIAN_RUNS:%=$(DEBIAN)/%/summary.txt) > /dev/null

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
	$(Q)$(call debian_apt,apt-get) update
	$(Q)$(call debian_apt,apt-cache) depends $(DEBIAN_IMAGE) | awk '$$1 == "Depends:" && $$2 ~ /^linux-image-/ \
		{ print $$2; found = 1 } END { exit !found }' > $@

# Prints the name of the package with the kernel itself.
debian_binary = sed 's/^linux-image-/linux-binary-/' $(CURDIR)/$< | xargs $(call debian_apt,apt-cache) show 2> /dev/null | \
	grep . > /dev/null && sed 's/^linux-image-/linux-binary-/' $(CURDIR)/$< || cat $(CURDIR)/$<

# $(call debian_extract,PACKAGE,PATTERN...): extracts the first file that matches one of the
# patterns from the package into $@. tar then closes the pipe, of which dpkg-deb complains,
# and complains of the other patterns itself.
define debian_extract
$(call say,FETCH,"$(1) for $@")
$(Q)mkdir -p $(DEBIAN)/download; cd $(DEBIAN)/download; rm -f *.deb; $(call debian_apt,apt-get) download $(1)
$(call say,UNPACK,$@)
$(Q)tar -x --occurrence=1 --to-stdout --wildcards -f <(dpkg-deb --fsys-tarfile $(DEBIAN)/download/*.deb 2> /dev/null) \
	$(2) > $@.new 2> $@.log || [ -s $@.new ] || cat $@.log >&2
$(Q)rm $@.log; [ -s $@.new ] && mv $@.new $@ && rm -r $(DEBIAN)/download
endef
# Since Debian 14, the image package has only dependencies.
$(DEBIAN)/Image: $(DEBIAN)/package
	$(call debian_extract,$$($(debian_binary)),'./boot/vmlinux-*' './usr/lib/modules/*/vmlinuz')
# The download folder is shared: one download after the other.
$(DEBIAN)/vmlinux: $(DEBIAN)/package | $(DEBIAN)/Image
	$(call debian_extract,$$(cat $(CURDIR)/$<)-dbg,'./usr/lib/debug/boot/vmlinux-*' './usr/lib/debug/lib/modules/*/vmlinux')

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
	$(Q)printf '%s\n' '../target/firmware.elf firmware' 'vmlinux kernel' 'init user' > $@

# --- runs

define debian_run
$(DEBIAN)/$(1)/run.tr: $(FW) $(addprefix $(DEBIAN)/,Image soc.dtb init.cpio) $(DEBIAN_SIM_$(1)) $(B)/bin/tr-capture
	$$(call say,RUN,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)TIMEFORMAT='wall %R cpu %U'; { time $(B)/bin/tr-capture -o $$@ -- $(DEBIAN_SIM_$(1)) $(DEBIAN_LIMIT_$(1)) \
		$(DEBIAN_RUN) < /dev/null > $$(@D)/console.txt 2> $$(@D)/run.log; } 2> $$(@D)/seconds.txt
$(DEBIAN)/$(1)/summary.txt: DEBIAN_END := $(DEBIAN_END_$(1))
endef
$(foreach r,$(DEBIAN_RUNS),$(eval $(call debian_run,$(r))))

$(DEBIAN)/%/run.stacks.tr: $(DEBIAN)/%/run.tr $(addprefix $(DEBIAN)/,vmlinux init bins.lst) \
		$(B)/bin/tr-match $(B)/bin/tr-unwind
	$(call say,STACKS,$@)
	$(Q)$(B)/bin/tr-match -v --bins $(DEBIAN)/bins.lst $< 2> $(@D)/match.log | \
		$(B)/bin/tr-unwind -v -o $@ 2> $(@D)/unwind.log
$(DEBIAN)/%/joined.svg: $(DEBIAN)/%/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold -v --title "Debian's kernel, $*: the kernel and the firmware" \
		--svg $@ -o $(@D)/joined.folded $< 2> $(@D)/fold.log
$(DEBIAN)/%/functions.txt: $(DEBIAN)/%/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --table=$@ $< > /dev/null
$(DEBIAN)/%/summary.txt: $(DEBIAN)/%/joined.svg pipelines/linux-summary.awk pipelines/linux-debian.awk
	$(Q){ sed 's/^/seconds /' $(@D)/seconds.txt; $(B)/bin/tr-info $(@D)/run.tr | sed 's/^/info /'; \
	cat $(@D)/match.log $(@D)/unwind.log $(@D)/fold.log; } | \
		awk -v title="Debian's kernel, $$(cat $(DEBIAN)/package), on the $*" -v end=$(DEBIAN_END) \
		-f pipelines/linux-summary.awk -f pipelines/linux-debian.awk > $@
.SECONDARY: $(foreach r,$(DEBIAN_RUNS),$(addprefix $(DEBIAN)/$(r)/,run.tr run.stacks.tr))
