/* SPDX-License-Identifier: Apache-2.0 */
/* Names are sanitised for folded stacks, and the better of two is chosen. */
#include "fixture.h"
#include "image/image_state.h"

static void check_kept(struct tr_image *image, const char *text, const char *want)
{
	CHECK_STR(tr_image_name_store(image, text, strlen(text)), want);
}

static void check_long(struct tr_image *image)
{
	char text[3000];
	for (size_t i = 0; i < sizeof(text); i += 3)
		memcpy(text + i, "\xe2\x82\xac", 3);
	const char *kept = tr_image_name_store(image, text, sizeof(text));
	CHECK(strlen(kept) <= IMAGE_NAME_MAX);
	CHECK_EQ(strlen(kept) % 3, 0);
	CHECK_STR(kept + strlen(kept) - 3, "...");
	memset(text, 'x', sizeof(text));
	kept = tr_image_name_store(image, text, IMAGE_NAME_MAX);
	CHECK_EQ(strlen(kept), IMAGE_NAME_MAX);
	CHECK(strchr(kept, '.') == NULL);
}

int main(void)
{
	struct tr_image image = {0};
	check_kept(&image, "plain", "plain");
	check_kept(&image, "a;b\tc\x7f", "a:b?c?");
	check_kept(&image, "caf\xc3\xa9 \xf0\x9f\x94\xa5",
		   "caf\xc3\xa9 \xf0\x9f\x94\xa5");
	check_kept(&image, "\xff\xc3", "??");
	check_kept(&image, "\xc0\xaf\xe0\x80\x80", "?????");
	check_kept(&image, "\xed\xa0\x80", "???");
	check_kept(&image, "\xf4\x90\x80\x80", "????");
	check_kept(&image, "\xc2\x85", "??");
	/* U+202E reverses the following text; U+2066, U+200F, U+2028 and U+061C. */
	check_kept(&image,
		   "a\xe2\x80\xae"
		   "b",
		   "a???b");
	check_kept(&image, "\xe2\x81\xa6\xe2\x80\x8f\xe2\x80\xa8\xd8\x9c", "???????????");
	check_kept(&image, "\xe2\x80\xa6\xe2\x81\xa4", "\xe2\x80\xa6\xe2\x81\xa4");
	check_kept(&image, "", "");
	check_long(&image);
	CHECK(tr_image_name_compare("read", "__read") < 0);
	CHECK(tr_image_name_compare("_start", "read") > 0);
	CHECK(tr_image_name_compare("reads", "read") > 0);
	CHECK(tr_image_name_compare("real", "read") > 0);
	CHECK_EQ(tr_image_name_compare("read", "read"), 0);
	tr_arena_reset(&image.names);
	return check_done();
}
