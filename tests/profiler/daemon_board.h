/* SPDX-License-Identifier: Apache-2.0 */
/* What daemon_victim and the test of prof-daemon share, in a file that both map: what a
 * victim has called, as it knows itself. */
#ifndef DAEMON_BOARD_H
#define DAEMON_BOARD_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define BOARD "/tmp/board"

enum { SLOTS = 4096, VICTIM_STATUS = 5, MIXES = 2 /* of a turn */ };

/* Of a thread, or of a process that has one. */
struct victim_slot {
	_Atomic uint64_t turns; /* calls of victim_turn() that were made */
	_Atomic uint32_t pid;
	_Atomic uint32_t stop; /* by the test: no more turns */
	_Atomic uint32_t stopped;
	_Atomic uint32_t hold; /* by the test: no turns for now */
	_Atomic uint32_t held;
	_Atomic uint32_t wrong; /* a turn had a wrong result */
};

static inline struct victim_slot *map_board(void)
{
	int file = open(BOARD, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	void *board = MAP_FAILED;

	if (file >= 0 && ftruncate(file, SLOTS * sizeof(struct victim_slot)) == 0)
		board = mmap(NULL, SLOTS * sizeof(struct victim_slot),
			     PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file >= 0)
		close(file);
	return board == MAP_FAILED ? NULL : board;
}

#endif
