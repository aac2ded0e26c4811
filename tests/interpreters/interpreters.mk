# SPDX-License-Identifier: Apache-2.0
# `make test-lua`, `make test-python`: the interpreters of Debian's sources, built for riscv64 Linux
# in build/interpreters/, run on the model of tr-profile --linux with lua.probes and
# python.probes. How often each function of a script was called is what the language counts itself.

INTERPRETERS := tests/interpreters
INTERPRETERS_B := build/interpreters
INTERPRETERS_NEED := $(INTERPRETERS)/interpreters.mk | linux-kernel $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model

SHA256_lua5.4_5.4.4.orig.tar.gz := 164c7849653b80ae67bec4b7473b884bf5cc8d2dca05653475ec2ed27b9ebf61
SHA256_python3.11_3.11.2.orig.tar.gz := 2411c74bda5bbcfcddaf4531f66d1adc73f247f529aee981b029513aefdbf849
SHA256_python3.13_3.13.5.orig.tar.xz := 93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640
$(eval $(call linux_source,$(INTERPRETERS_B),lua-5.4,$(LINUX_B)/download/lua5.4_5.4.4.orig.tar.gz))
$(eval $(call linux_source,$(INTERPRETERS_B),python-3.11,$(LINUX_B)/download/python3.11_3.11.2.orig.tar.gz))
$(eval $(call linux_source,$(INTERPRETERS_B),python-3.13,$(LINUX_B)/download/python3.13_3.13.5.orig.tar.xz))

$(INTERPRETERS_B)/lua: $(INTERPRETERS_B)/source/lua-5.4/.unpacked $(INTERPRETERS)/interpreters.mk
	$(call say,LUA,$@)
	$(Q)cd $(<D)/src; sources=$$(echo *.c); $(LINUX_CROSS)gcc $(GC_ARCH) -std=gnu99 -O2 -g -w -static -DLUA_COMPAT_5_3 -DLUA_USE_POSIX \
		-o $(CURDIR)/$@ $${sources/luac.c/} -lm

# A cross-compiled CPython needs one of its own version for this machine.
PYTHON_CONFIGURE := ../configure -q --disable-shared --without-ensurepip --disable-test-modules
$(INTERPRETERS_B)/python-%/host: $(INTERPRETERS_B)/source/python-%/.unpacked
	$(call say,PYTHON,"$@ (3 minutes)")
	$(Q)mkdir -p $(<D)/host; $(call linux_log,cd $(<D)/host && $(LINUX_ENV) $(PYTHON_CONFIGURE) OPT=-O1,$(<D)/host.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(<D)/host -j$(LINUX_JOBS) python,$(<D)/host.log)
	$(Q)mkdir -p $(@D); touch $@
$(INTERPRETERS_B)/python-%/python: $(INTERPRETERS_B)/python-%/host $(INTERPRETERS)/interpreters.mk
	$(call say,PYTHON,"$@ (3 minutes)")
	$(Q)cd $(INTERPRETERS_B)/source/python-$*; rm -rf target; mkdir -p target/Modules; \
	printf '%s\n' '*static*' 'math mathmodule.c' > target/Modules/Setup.local; \
	$(call linux_log,cd target && $(LINUX_ENV) ac_cv_file__dev_ptmx=no ac_cv_file__dev_ptc=no ac_cv_buggy_getaddrinfo=no \
		$(PYTHON_CONFIGURE) --host=riscv64-linux-gnu --build=$$(gcc -dumpmachine) --with-build-python=$(CURDIR)/$(INTERPRETERS_B)/source/python-$*/host/python --disable-ipv6 \
		OPT='-O2 -g' LDFLAGS='-static -no-pie' LINKFORSHARED=' ',$(CURDIR)/$(@D)/target.log)
	$(Q)$(call linux_log,$(LINUX_ENV) make -C $(INTERPRETERS_B)/source/python-$*/target -j$(LINUX_JOBS) python,$(@D)/target.log)
	$(Q)cp $(INTERPRETERS_B)/source/python-$*/target/python $@
.PRECIOUS: $(INTERPRETERS_B)/python-%/host $(INTERPRETERS_B)/python-%/python $(INTERPRETERS_B)/source/%/.unpacked

# The calls of a short Lua script, for `make test-linux`: from the first entry of the interpreter to
# its last end.
.PHONY: golden-linux-lua
golden-linux-lua: $(INTERPRETERS_B)/lua $(INTERPRETERS_NEED) ## Record the piece of Lua again; shows the change
	$(Q)[ -z "$(CI)" ] && BIN=$(B)/bin $(INTERPRETERS)/piece.sh $(INTERPRETERS_B)/lua
	$(Q)BIN=$(B)/bin tests/linux/run.sh golden

.PHONY: test-lua test-lua-hardware test-python
test-lua: $(INTERPRETERS_B)/lua $(INTERPRETERS_NEED) ## Compare the calls of a Lua script with its own count
	$(Q)BIN=$(B)/bin $(INTERPRETERS)/lua.sh $(INTERPRETERS_B)/lua
test-lua-hardware: $(INTERPRETERS_B)/lua $(INTERPRETERS_NEED) $(addprefix $(B)/bin/,soc-sim soc-sim-ooo) ## The same on both cores
	$(Q)for core in inorder ooo; do \
		BIN=$(B)/bin RUN_ON="--core $$core" $(INTERPRETERS)/lua.sh $(INTERPRETERS_B)/lua || exit 1; done
test-python: $(foreach v,3.11 3.13,$(INTERPRETERS_B)/python-$(v)/python) $(INTERPRETERS_NEED) ## Compare the calls of Python scripts with those of sys.setprofile()
	$(Q)for version in 3.11 3.13; do \
		BIN=$(B)/bin $(INTERPRETERS)/python.sh $(INTERPRETERS_B)/python-$$version/python $(INTERPRETERS_B)/source/python-$$version/Lib; done
