// SPDX-License-Identifier: Apache-2.0
// Models of the predictors of directions and of targets, by the address of a jump's last
// halfword and the path to its block. They count the cases that they meet.
#ifndef BLOCK_PREDICTOR_TABLES_H
#define BLOCK_PREDICTOR_TABLES_H

#include <cstdint>

#include "../covered.h"

enum { TAG_BITS = 9, CHANCE_TAPS = 0xb8 };

// Exclusive or of a path's newest bits, `bits` at a time.
static unsigned folded(uint64_t path, unsigned length, unsigned bits)
{
	unsigned fold = 0;

	for (unsigned i = 0; i < length; i++)
		fold ^= (path >> i & 1) << i % bits;
	return fold;
}

static unsigned tag_of_path(unsigned place, uint64_t path, unsigned length)
{
	unsigned fold = folded(path, length, TAG_BITS);

	fold = fold << 5 | fold >> (TAG_BITS - 5);
	return (place ^ place >> 5 ^ fold) % (1U << TAG_BITS);
}

// Bits 20:1 of an address, by which jumps are looked up.
static inline unsigned place_of(uint64_t pc)
{
	return pc >> 1 & 0xfffff;
}

static unsigned next_chance(unsigned chance)
{
	return chance >> 1 ^ (chance & 1 ? CHANCE_TAPS : 0);
}

// A direction: a two-bit counter, and four tables.
enum { DIRECTION_TABLES = 4 };
static const unsigned DIRECTION_LENGTHS[] = {8, 16, 32, 64};

struct direction_entry {
	unsigned tag, counter;
	bool useful;
};

template <unsigned Counters, unsigned Entries> struct directions {
	direction_entry table[DIRECTION_TABLES][Entries];
	unsigned counter[Counters];
	unsigned chance;

	struct choice {
		direction_entry *hit; // the longest
		unsigned table;	      // it is in
		bool longest, without, taken;
	};

	enum {
		UNSURE,
		BY_COUNTER,
		ALL_TABLES,
		CHANCED,
		NO_ROOM,
		RIGHT_THOUGH_OTHER,
		CASES
	};
	covered_case covered[CASES] = {
	    {"an entry that is unsure is passed over", 0},
	    {"the counter predicts", 0},
	    {"the longest table predicts", 0},
	    {"the search for an entry begins one table further", 0},
	    {"no entry can be taken", 0},
	    {"an entry becomes useful", 0},
	};

	void reset()
	{
		for (auto &entries : table)
			for (direction_entry &e : entries)
				e = {0, 4, false};
		for (unsigned &c : counter)
			c = 2;
		chance = 1;
	}
	unsigned index(unsigned t, unsigned place, uint64_t path) const
	{
		unsigned bits = 0;

		while (Entries >> (bits + 1))
			bits++;
		return (place ^ place >> (8 - t) ^
			folded(path, DIRECTION_LENGTHS[t], bits)) %
		       Entries;
	}
	direction_entry *entry(unsigned t, unsigned place, uint64_t path)
	{
		return &table[t][index(t, place, path)];
	}
	choice choose(unsigned place, uint64_t path)
	{
		bool taken = counter[place % Counters] >= 2;
		choice c = {nullptr, 0, taken, taken, taken};

		for (unsigned t = 0; t < DIRECTION_TABLES; t++) {
			direction_entry *e = entry(t, place, path);

			if (e->tag == tag_of_path(place, path, DIRECTION_LENGTHS[t])) {
				c.without = c.longest;
				c.longest = e->counter >= 4;
				c.hit = e;
				c.table = t;
			}
		}
		c.taken = c.longest;
		if (c.hit && !c.hit->useful &&
		    (c.hit->counter == 3 || c.hit->counter == 4))
			c.taken = c.without;
		return c;
	}
	bool predict(unsigned place, uint64_t path)
	{
		choice c = choose(place, path);

		covered[UNSURE].count += c.taken != c.longest;
		covered[BY_COUNTER].count += !c.hit;
		covered[ALL_TABLES].count += c.hit && c.table == DIRECTION_TABLES - 1;
		return c.taken;
	}
	void add(unsigned place, uint64_t path, unsigned first, bool taken)
	{
		if ((chance & 1) && first < DIRECTION_TABLES - 1) {
			covered[CHANCED].count++;
			first++;
		}
		chance = next_chance(chance);
		for (unsigned t = first; t < DIRECTION_TABLES; t++) {
			direction_entry *e = entry(t, place, path);

			if (e->useful)
				continue;
			*e = {tag_of_path(place, path, DIRECTION_LENGTHS[t]),
			      taken ? 4U : 3U, false};
			return;
		}
		covered[NO_ROOM].count++;
		for (unsigned t = first; t < DIRECTION_TABLES; t++)
			entry(t, place, path)->useful = false;
	}
	static void count(unsigned *counter, bool taken, unsigned most)
	{
		if (taken && *counter < most)
			++*counter;
		if (!taken && *counter > 0)
			--*counter;
	}
	void learn(unsigned place, uint64_t path, bool taken)
	{
		choice c = choose(place, path);
		unsigned longer = c.hit ? c.table + 1 : 0;

		if (c.hit) {
			count(&c.hit->counter, taken, 7);
			if (c.longest != c.without) {
				covered[RIGHT_THOUGH_OTHER].count += c.longest == taken;
				c.hit->useful = c.longest == taken;
			}
		} else {
			count(&counter[place % Counters], taken, 3);
		}
		if (c.taken != taken && longer < DIRECTION_TABLES)
			add(place, path, longer, taken);
	}
};

// Targets: two tables. What is in none goes where it went last.
enum { TARGET_TABLES = 2, MOST_CONFIDENCE = 3 };
static const unsigned TARGET_LENGTHS[] = {8, 24};

struct target_entry {
	bool valid;
	unsigned tag, confidence;
	uint64_t target;
};

template <unsigned Entries> struct targets {
	target_entry table[TARGET_TABLES][Entries];
	unsigned chance;

	enum { FIRST, SECOND, BOTH, KEPT, REPLACED, CHANCED, CASES };
	covered_case covered[CASES] = {
	    {"the first table predicts", 0},   {"the second table predicts", 0},
	    {"both tables have an entry", 0},  {"a wrong target has confidence", 0},
	    {"a wrong target is replaced", 0}, {"the second table is taken by chance", 0},
	};

	void reset()
	{
		for (auto &entries : table)
			for (target_entry &e : entries)
				e = {};
		chance = 1;
	}
	target_entry *entry(unsigned t, unsigned place, uint64_t path)
	{
		unsigned bits = 0;

		while (Entries >> (bits + 1))
			bits++;
		return &table[t][(place ^ place >> (6 - t) ^
				  folded(path, TARGET_LENGTHS[t], bits)) %
				 Entries];
	}
	target_entry *hit(unsigned t, unsigned place, uint64_t path)
	{
		target_entry *e = entry(t, place, path);
		unsigned tag = tag_of_path(place, path, TARGET_LENGTHS[t]);

		return e->valid && e->tag == tag ? e : nullptr;
	}
	const target_entry *predict(unsigned place, uint64_t path)
	{
		target_entry *first = hit(0, place, path), *second = hit(1, place, path);

		covered[FIRST].count += first && !second;
		covered[SECOND].count += !!second;
		covered[BOTH].count += first && second;
		return second ? second : first;
	}
	void correct(target_entry *e, unsigned tag, uint64_t target)
	{
		covered[KEPT].count += e->confidence > 0;
		covered[REPLACED].count += e->valid && e->confidence == 0;
		if (e->confidence > 0)
			e->confidence--;
		else
			*e = {true, tag, 0, target};
	}
	void learn(unsigned place, uint64_t path, uint64_t last, uint64_t target)
	{
		target_entry *first = hit(0, place, path), *second = hit(1, place, path);
		target_entry *longest = second ? second : first;
		unsigned t = second ? 1 : 0;
		bool wrong = (longest ? longest->target : last) != target;

		if (longest && !wrong && longest->confidence < MOST_CONFIDENCE)
			longest->confidence++;
		if (longest && wrong)
			correct(longest, tag_of_path(place, path, TARGET_LENGTHS[t]),
				target);
		if (!wrong || second)
			return;
		t = first || (chance & 1) ? 1 : 0;
		covered[CHANCED].count += !first && t == 1;
		chance = next_chance(chance);
		correct(entry(t, place, path),
			tag_of_path(place, path, TARGET_LENGTHS[t]), target);
	}
};

#endif
