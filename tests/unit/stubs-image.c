/* SPDX-License-Identifier: Apache-2.0 */
/* What a process can map as it is: the header alone, first places, the parts of
 * injected.o, and the digest of a text with entries. */
#include "stubs-plan.h"

#include <elf.h>

#include "base/little.h"
#include "stubs/stubs_layout_internal.h"

enum { TEXT = 1000 };

/* The header is enough, with whatever follows it, and only if it is right. */
static void check_head(const struct tr_stubs *plan)
{
	size_t size;
	uint64_t at;
	struct tr_stubs got;
	uint8_t *data = tr_stubs_encode(plan, &size);
	CHECK_EQ(tr_stubs_decode_head(data, size, &got, &at), TR_OK);
	CHECK(got.functions == NULL && got.function_count == plan->function_count);
	CHECK(memcmp(&got.image, &plan->image, sizeof(got.image)) == 0);
	data[size - 1] ^= 1;
	CHECK_EQ(tr_stubs_decode_head(data, size, &got, &at), TR_OK);
	CHECK_EQ(tr_stubs_decode(data, size, &got, &at), TR_E_CORRUPT);
	CHECK_EQ(at, DATA_PARTS_CHECKSUM);
	CHECK_EQ(tr_stubs_decode_head(data, size - 1, &got, &at), TR_E_TRUNCATED);
	CHECK_EQ(at, size - 1);
	for (size_t i = FILE_VERSION; i < DATA_HEADER; i++) {
		data[i] ^= 4;
		CHECK(tr_stubs_decode_head(data, size, &got, &at) != TR_OK);
		data[i] ^= 4;
	}
	free(data);
}

/* No part begins within a page, and no sum of two sizes is too large. */
static void check_image_fields(struct tr_stubs plan)
{
	uint64_t *fields[] = {&plan.image.code_offset,	&plan.image.counters,
			      &plan.image.text_address, &plan.image.text_origin,
			      &plan.image.text_offset,	&plan.image.text_size};
	for (unsigned i = 0; i < 6; i++) {
		for (unsigned large = 0; large < 2; large++) {
			const uint64_t before = *fields[i];
			const bool is_place = i == 1 || i == 2, is_size = i == 5;
			size_t size;
			uint64_t at;
			struct tr_stubs got;
			*fields[i] = large ? UINT64_C(1) << 63 : before + 8;
			uint8_t *data = tr_stubs_encode(&plan, &size);
			CHECK_EQ(tr_stubs_decode_head(data, size, &got, &at),
				 (large ? is_place : is_size) ? TR_OK : TR_E_CORRUPT);
			free(data);
			*fields[i] = before;
		}
	}
}

static void check_first_places(const struct tr_stubs *plan)
{
	const struct tr_stubs_places places = tr_stubs_first_places(plan, 0x4000);
	CHECK_EQ(places.bias, 0x4000);
	CHECK_EQ(places.areas[0], plan->areas[0].highest + 0x4000);
	CHECK_EQ(places.areas[1], plan->areas[1].lowest + 0x4000);
	CHECK_EQ(places.counters, plan->image.counters + 0x4000);
	struct tr_stubs one = *plan;
	one.areas[0].size = 0;
	CHECK_EQ(tr_stubs_first_places(&one, 0x4000).areas[0], 0);
}

static Elf64_Shdr read_section(const uint8_t *object, unsigned number)
{
	Elf64_Ehdr header;
	Elf64_Shdr section;
	memcpy(&header, object, sizeof(header));
	memcpy(&section, object + header.e_shoff + number * sizeof(section),
	       sizeof(section));
	return section;
}

static void check_parts(const struct tr_stubs *plan)
{
	static uint8_t first[TR_STUBS_PAGE], second[2 * TR_STUBS_PAGE];
	const struct tr_stubs_part parts[] = {{".text.first", first, sizeof(first)},
					      {".text.second", second, sizeof(second)}};
	const char *const names[] = {"",	".text",   ".text.first", ".text.second",
				     ".symtab", ".strtab", ".shstrtab"};
	size_t size;
	memset(first, 0x11, sizeof(first));
	memset(second, 0x22, sizeof(second));
	uint8_t *object =
	    tr_stubs_encode_object(plan, plan_code, parts, 2, plan_names, &size);
	const Elf64_Shdr strings = read_section(object, 6);
	for (unsigned i = 0; i < 7; i++)
		CHECK(strcmp((const char *)object + strings.sh_offset +
				 read_section(object, i).sh_name,
			     names[i]) == 0);
	uint64_t at = TR_STUBS_PAGE + plan->code_size;
	for (unsigned i = 0; i < 2; i++) {
		const Elf64_Shdr part = read_section(object, 2 + i);
		CHECK_EQ(part.sh_offset, at);
		CHECK_EQ(part.sh_size, parts[i].size);
		CHECK(memcmp(object + at, parts[i].bytes, parts[i].size) == 0);
		at += part.sh_size;
	}
	for (unsigned i = 1; i < 4; i++)
		CHECK_EQ(read_section(object, i).sh_addralign, TR_STUBS_PAGE);
	const Elf64_Shdr symbols = read_section(object, 4);
	CHECK_EQ(symbols.sh_link, 5);
	CHECK_EQ(symbols.sh_info, plan->function_count + 1);
	for (uint32_t i = 0; i < plan->function_count; i++) {
		Elf64_Sym symbol;
		memcpy(&symbol, object + symbols.sh_offset + (i + 1) * sizeof(symbol),
		       sizeof(symbol));
		CHECK_EQ(symbol.st_value, plan->functions[i].stub);
		CHECK_EQ(symbol.st_size, plan->functions[i].stub_size);
	}
	free(object);
}

static uint64_t digest(const uint8_t *text, const uint8_t *image, uint64_t size,
		       uint64_t origin)
{
	const struct tr_stubs_image about = {.text_size = size, .text_origin = origin};
	return tr_stubs_digest(&about, text, image);
}

/* Each byte counts, in either text, and the place of a difference; not the ELF header,
 * nor what is behind the end. */
static void check_digest(void)
{
	static _Alignas(8) uint8_t text[TEXT + 64], image[TEXT + 64];
	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = image[i] = (uint8_t)(i * 7);
	image[200] ^= 0xff; /* an entry */
	image[TEXT - 2] ^= 1;
	const uint64_t good = digest(text, image, TEXT, 0x1000);
	const uint64_t bare = digest(text, image, TEXT, 0);
	CHECK(good != bare);
	for (unsigned i = 0; i < sizeof(text); i++) {
		for (unsigned both = 0; both < 2; both++) {
			uint8_t *bytes = both ? image : text;
			bytes[i] ^= 0x40;
			CHECK_EQ(digest(text, image, TEXT, 0x1000) == good, i >= TEXT);
			CHECK_EQ(digest(text, image, TEXT, 0) == bare,
				 i < sizeof(Elf64_Ehdr) || i >= TEXT);
			bytes[i] ^= 0x40;
		}
	}
	/* The same difference somewhere else; the last whole block ends at 896. */
	memcpy(image, text, sizeof(image));
	memset(text, 0, sizeof(text));
	memset(image, 0, sizeof(image));
	static const unsigned places[] = {320, 904};
	for (unsigned i = 0; i < 2; i++) {
		image[places[i]] = 1;
		const uint64_t here = digest(text, image, TEXT, 0x1000);
		image[places[i]] = 0;
		for (unsigned at = 0; at < TEXT; at += 8) {
			image[at] = 1;
			CHECK_EQ(digest(text, image, TEXT, 0x1000) == here,
				 at == places[i]);
			image[at] = 0;
		}
	}
	CHECK(digest(text, image, TEXT - 8, 0x1000) != digest(text, image, TEXT, 0x1000));
}

int main(void)
{
	const struct tr_stubs plan = make_stub_plan();
	check_head(&plan);
	check_image_fields(plan);
	check_first_places(&plan);
	check_parts(&plan);
	check_digest();
	return check_done();
}
