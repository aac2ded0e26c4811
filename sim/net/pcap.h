/* SPDX-License-Identifier: Apache-2.0 */
/* Writes frames as a pcap file of Ethernet with time stamps in nanoseconds
 * (draft-ietf-opsawg-pcap). The time is the target's: that of the frame's last word, from
 * cycle 0 on. */
#ifndef NET_PCAP_H
#define NET_PCAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Each returns false with errno if the file cannot be written. */
bool pcap_begin(FILE *file);
bool pcap_frame(FILE *file, uint64_t cycle, const uint8_t *bytes, uint32_t size);

#endif
