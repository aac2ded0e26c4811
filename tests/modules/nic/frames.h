// SPDX-License-Identifier: Apache-2.0
// Frames for the bench of the network interface: random ones, and their checksums,
// computed byte by byte from the RFCs.
#ifndef NIC_FRAMES_H
#define NIC_FRAMES_H

#include <cstddef>
#include <vector>

#include "../rng.h"

using std::size_t;
typedef std::vector<uint8_t> frame;

enum { MAX_FRAME = 10240 };

// Returns a frame of 1 to 1600 bytes, or a short or a jumbo frame; with `any` also one of
// 0 or too many bytes.
frame draw_frame(rng *random, bool any);
// Returns an IPv4 frame with TCP or UDP and right checksums, and perhaps padding.
frame draw_packet(rng *random);
// Flips one bit behind the addresses of Ethernet.
void damage(rng *random, frame *f);

// The sum of the bytes from `from` on as Linux's csum_fold() inverted: 16-bit numbers in
// the byte order of memory.
unsigned sum_of(const frame &f, size_t from);
// Returns the frame with the complement of the sum from `start` on at `offset`, if there
// is room for it.
frame with_checksum(const frame &f, unsigned start, unsigned offset);
// Returns bits 30:29 of RECEIVED: 1 for TCP or UDP over IPv4, 3 if its checksum is right.
unsigned classify(const frame &f);

#endif
