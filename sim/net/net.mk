# SPDX-License-Identifier: Apache-2.0
# The network between simulators: a library, which soc-sim links, and soc-net.

NET_OBJS := $(patsubst %,$(B)/obj/sim/net/%.o,pcap port segment)
OBJS += $(NET_OBJS)
$(B)/libsocnet.a: $(NET_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

$(eval $(call program,soc-net,sim/net/soc-net.c))
$(B)/bin/soc-net: $(B)/libsocnet.a

# Unit tests of the network link it as well.
$(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/net-*.c)): $(B)/libsocnet.a
