# SPDX-License-Identifier: Apache-2.0
# The network between simulators: a library.

NET_OBJS := $(patsubst %,$(B)/obj/sim/net/%.o,pcap port segment)
OBJS += $(NET_OBJS)
$(B)/libsocnet.a: $(NET_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# Unit tests of the network link it as well.
$(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/net-*.c)): $(B)/libsocnet.a
