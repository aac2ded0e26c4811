/* SPDX-License-Identifier: Apache-2.0 */
#include "pcap.h"

#include "soc.h"

enum { VERSION_MAJOR = 2, VERSION_MINOR = 4, SNAP_BYTES = 262144, ETHERNET = 1 };
#define MAGIC_NANOSECONDS 0xa1b23c4dU
#define SECOND_NS	  UINT64_C(1000000000)

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy, snap_bytes, link;
};

struct frame_header {
	uint32_t seconds, nanoseconds, captured, size;
};

bool pcap_begin(FILE *file)
{
	const struct file_header header = {.magic = MAGIC_NANOSECONDS,
					   .major = VERSION_MAJOR,
					   .minor = VERSION_MINOR,
					   .snap_bytes = SNAP_BYTES,
					   .link = ETHERNET};

	return fwrite(&header, sizeof(header), 1, file) == 1;
}

bool pcap_frame(FILE *file, uint64_t cycle, const uint8_t *bytes, uint32_t size)
{
	uint64_t rest = cycle % SOC_CLOCK_HZ;
	const struct frame_header header = {
	    .seconds = (uint32_t)(cycle / SOC_CLOCK_HZ),
	    .nanoseconds = (uint32_t)(rest * SECOND_NS / SOC_CLOCK_HZ),
	    .captured = size,
	    .size = size};

	return fwrite(&header, sizeof(header), 1, file) == 1 &&
	       fwrite(bytes, 1, size, file) == size;
}
