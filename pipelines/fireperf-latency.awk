# SPDX-License-Identifier: Apache-2.0
# FirePerf's section 4.10: the final system at the distance of two machines in a cloud.
END {
	head("The final system, 25 us from the other (section 4.10)")
	row("jumbo frames, MTU 9000", fast "-jumbo-cloud", "-", 17.6)
	row("NAPI, MTU 1500", fast "-napi-cloud", "-", 6.6)
	row("jumbo frames, 2 us", fast "-jumbo", 12.8, 17.5)
	row("NAPI, 2 us", fast "-napi", 3.67, 6.73)
	placement(fast "-jumbo")
	print "  FirePerf's own machines of the cloud, with other processors: 9.42 and 8.61"
}
