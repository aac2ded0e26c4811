# SPDX-License-Identifier: Apache-2.0
# `make linux-debian PACKAGES="hello python3-minimal"`: programs of Debian for tr-profile --linux,
# on the kernel of `make linux-kernel`:
#     root=build/linux-debian/RELEASE/packages/root
#     tr-profile --linux --root $root $root/usr/bin/hello
#
# The packages and all that they depend on are unpacked by sim/target/debian/packages.sh. That folder has
# exactly those of the last list. Debug information is in packages of the release (libc6-dbg)
# and, for most programs, in a second archive (hello-dbgsym), which not every mirror has;
# without it, a stripped program has only the names that it exports.

DEBIAN_ADDED := $(DEBIAN)/packages
DEBIAN_SYMBOLS_APT := $(DEBIAN_APT)-debug
debian_apt_options = $(wordlist 2,99,$(call debian_apt,apt))
debian_symbols_options = $(subst $(DEBIAN_APT),$(DEBIAN_SYMBOLS_APT),$(debian_apt_options))

.PHONY: linux-debian-packages
linux-debian-packages:
	@$(MAKE) --no-print-directory $(DEBIAN_ADDED)/programs.txt
	@sed 's,^[^ ]* ,$(DEBIAN_ADDED)/root/,' $(DEBIAN_ADDED)/programs.txt
	@echo 'tr-profile --linux --root $(DEBIAN_ADDED)/root PROGRAM profiles one of them'

$(DEBIAN_ADDED)/list: export PACKAGES := $(PACKAGES)
$(DEBIAN_ADDED)/list: FORCE
	@mkdir -p $(@D); printf '%s\n' "$$PACKAGES" | cmp -s - $@ || printf '%s\n' "$$PACKAGES" > $@

# The archive of debug symbols is beside that of the release. Its absence is no error.
$(DEBIAN_SYMBOLS_APT)/options: $(DEBIAN)/package
	$(Q)rm -rf $(@D); mkdir -p $(@D)/lists/partial $(@D)/cache/archives/partial $(@D)/none; touch $(@D)/status
	$(Q)sed 's,/*  *$(DEBIAN_RELEASE) main$$,-debug $(DEBIAN_RELEASE)-debug main,' $(DEBIAN_APT)/sources.list > $(@D)/sources.list
	$(Q)apt-get $(debian_symbols_options) update 2> $(@D)/apt.log && echo '$(debian_symbols_options)' > $@ || \
		{ echo 'make: note: the mirror has no debug symbols ($(DEBIAN_RELEASE)-debug): stripped programs have exported names only' >&2; : > $@; }

$(DEBIAN_ADDED)/programs.txt: export APT = $(debian_apt_options)
$(DEBIAN_ADDED)/programs.txt: $(DEBIAN_ADDED)/list $(DEBIAN)/package $(DEBIAN_SYMBOLS_APT)/options sim/target/debian/packages.sh
	$(call say,FETCH,"the packages for $(@D)")
	$(Q)read -ra packages < $<; APT_DEBUG=$$(cat $(DEBIAN_SYMBOLS_APT)/options) \
		sim/target/debian/packages.sh $(@D) $(DEBIAN_RELEASE) "$${packages[@]}"
