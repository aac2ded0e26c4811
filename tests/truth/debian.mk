# SPDX-License-Identifier: Apache-2.0
# Debian's kernel and programs: their stacks compared with the machine's own. Not part of
# the everyday tests, because they need the packages of `make linux-debian`.

# Debian's kernel as run by linux-debian, on the model.
TRUTH_DEBIAN_ARGS = $(DEBIAN)/bins.lst $(DEBIAN)/model/run.stacks.tr $(DEBIAN_RUN)

.PHONY: truth-debian
truth-debian: $(B)/truth/truth ## Compare call stacks on Debian's kernel with the machine's own
	$(Q)$(MAKE) -s --no-print-directory $(DEBIAN)/model/run.stacks.tr
	$(Q)$(B)/truth/truth --linux $(TRUTH_DEBIAN_ARGS)
	$(Q)status=0; $(B)/truth/truth --break --linux $(TRUTH_DEBIAN_ARGS) >$(B)/truth/debian-broken.txt 2>&1 \
		|| status=$$?; \
	[ $$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }

# Its programs, as run by linux-debian-programs, but from reset, since the comparison needs
# the whole run. The list has the files that tr-match opened, in the sysroot or not, and the
# vdso, under the name that tr-match gives it.
DEBIAN_TRUTH := $(B)/truth/debian/$(DEBIAN_RELEASE)
DEBIAN_TRUTH_RUN = $(DEBIAN_BOOT) --initrd $(DEBIAN)/$(1)/init.cpio
DEBIAN_TRUTH_ARGS = --gallery --float --ram 512M --dtb $(DEBIAN)/soc-programs.dtb --initrd $(DEBIAN)/$(1)/init.cpio \
	$(DEBIAN_TRUTH)/$(1).lst $(DEBIAN_TRUTH)/$(1).tr $(FW) $(DEBIAN)/Image@0x80200000

.PHONY: truth-debian-programs $(DEBIAN_PROGRAMS:%=truth-debian-%)
truth-debian-programs: ## Compare call stacks of Debian's programs with the machine's own
truth-debian-programs: $(DEBIAN_PROGRAMS:%=truth-debian-%)
define debian_truth
$(DEBIAN_TRUTH)/$(1).tr: $(addprefix $(B)/bin/,soc-model tr-match tr-unwind) $(FW) \
		$(addprefix $(DEBIAN)/,Image soc-programs.dtb vmlinux traced programs.lst sysroot/.debug $(1)/init.cpio)
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-model $(DEBIAN_TRUTH_RUN) --trace - </dev/null 2>$$(@D)/$(1)-console.txt \
		| $(B)/bin/tr-match $$(DEBIAN_MATCH_$(1)) | $(B)/bin/tr-unwind -o $$@
$(DEBIAN_TRUTH)/$(1).lst: $(DEBIAN_TRUTH)/$(1).tr $(B)/bin/tr-info
	$(Q)$(B)/bin/tr-info $$< | awk -v folder='$(CURDIR)/' -f tests/truth/opened.awk >$$@
	$(Q)tests/truth/vdso.sh $(DEBIAN)/vmlinux >'$$(@D)/[vdso]'; echo '[vdso] user' >>$$@
truth-debian-$(1): $(B)/truth/truth
	$(Q)$$(MAKE) -s --no-print-directory $(DEBIAN_TRUTH)/$(1).lst
	$(Q)status=0; $(B)/truth/truth $(DEBIAN_TRUTH_ARGS) >$(DEBIAN_TRUTH)/$(1).txt || status=$$$$?; \
		sed -nE '/ (differ|excluded):|^truth/s/^/$(1): /p' $(DEBIAN_TRUTH)/$(1).txt; exit $$$$status
	$(Q)status=0; $(B)/truth/truth --break $(DEBIAN_TRUTH_ARGS) >$(DEBIAN_TRUTH)/$(1)-broken.txt 2>&1 || status=$$$$?; \
		[ $$$$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }
endef
$(foreach p,$(DEBIAN_PROGRAMS),$(eval $(call debian_truth,$(p))))
