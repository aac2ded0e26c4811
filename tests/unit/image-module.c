/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel modules, section by section: the bits that relocations write are masked; damaged
 * ones are refused, or consistent. */
#include "base/little.h"
#include "fixture.h"

enum { FLIPS = 2000 };

static struct tr_image *open_part(const char *path, const char *part, int wanted)
{
	const struct tr_image_options options = {
	    .functions = true, .no_cache = true, .part = part};
	struct tr_image *image = NULL;
	CHECK_EQ(tr_image_open(&image, path, &options), wanted);
	return image;
}

/* The instructions of module.S, and the bits of each that no relocation writes. */
static void check_text(void)
{
	static const uint32_t masks[] = {
	    0x00000fff,		    /* auipc */
	    0x000fffff,		    /* addi */
	    0x01fff07f,		    /* sd */
	    0x00000fff, 0x000fffff, /* call */
	    0x00000fff,		    /* jal */
	    0x01fff07f,		    /* beq */
	    0x00000fff,		    /* lui */
	    0x000fffff,		    /* addi */
	    0x01fff07f,		    /* sd */
	    0x00000fff, 0x000fffff, /* la: auipc, ld or addi */
	    0xffffffff,		    /* ret */
	};
	struct tr_image *image = open_part(FIXTURES "/module.ko", NULL, TR_OK);
	CHECK(tr_image_is_module(image) && tr_image_is_pie(image));
	CHECK_STR(tr_image_name(image), "module.ko");
	CHECK_EQ(tr_image_code_count(image), 1);
	CHECK_EQ(tr_image_code(image, 0)->address, 0);
	CHECK_EQ(tr_image_code(image, 0)->size, sizeof(masks));
	const uint8_t *code = tr_image_bytes(image, 0, sizeof(masks));
	const uint8_t *mask = code ? tr_image_mask(image, code) : NULL;
	for (size_t i = 0; CHECK(mask != NULL) && i < sizeof(masks) / 4; i++) {
		CHECK_EQ(tr_load32(mask + 4 * i), masks[i]);
		CHECK_EQ(tr_load32(code + 4 * i) & ~masks[i], 0);
	}
	const struct tr_function *work = tr_image_function_at(image, 8);
	CHECK(work && strcmp(work->name, "work") == 0 && work->entry == 0);
	CHECK_STR(tr_image_part(image, 0), ".init.text");
	CHECK(tr_image_part(image, 1) == NULL);
	tr_image_close(image);
}

static void check_parts(void)
{
	struct tr_image *image = open_part(FIXTURES "/module.ko", ".init.text", TR_OK);
	const struct tr_function *start = tr_image_function_at(image, 0);
	CHECK(start && strcmp(start->name, "start") == 0);
	CHECK_EQ(tr_image_function_count(image), 1);
	CHECK_STR(tr_image_part(image, 0), ".text");
	tr_image_close(image);
	image = open_part(FIXTURES "/module.ko", ".exit.text", TR_E_UNSUPPORTED);
	CHECK_STR(tr_image_message(image), FIXTURES "/module.ko: no code in .exit.text");
	tr_image_close(image);
	image = open_part(FIXTURES "/module.ko", "vdso", TR_E_UNSUPPORTED);
	CHECK_STR(tr_image_message(image), FIXTURES "/module.ko: no vdso in it");
	tr_image_close(image);
}

static void check_damage(void)
{
	struct tr_buffer file = fixture_read(FIXTURES "/module.ko");
	uint64_t random = 88172645463325252;
	const struct tr_image_options options = {.functions = true, .no_cache = true};
	for (unsigned i = 0; i < FLIPS + file.size; i++) {
		uint64_t bit = fixture_random(&random) % (file.size * 8);
		size_t size = i < FLIPS ? file.size : i - FLIPS;
		struct tr_image *image = NULL;
		file.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
		const char *path = fixture_write("damaged.ko", file.data, size);
		file.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
		int status = tr_image_open(&image, path, &options);
		if (status == TR_OK)
			fixture_check_sane(image);
		else
			CHECK(status == TR_E_UNSUPPORTED || status == TR_E_CORRUPT);
		tr_image_close(image);
	}
	tr_buffer_free(&file);
}

int main(void)
{
	fixture_begin();
	check_text();
	check_parts();
	check_damage();
	return fixture_end();
}
