/* SPDX-License-Identifier: Apache-2.0 */
/* JSON by yajl. */
#include "base/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "base/status.h"
#include "base/utf8.h"

struct tr_json {
	yajl_gen gen;
	FILE *file;
	bool failed;
};

static void write_json_text(void *file, const char *text, size_t size)
{
	fwrite(text, 1, size, file);
}

struct tr_json *tr_json_new(FILE *file)
{
	struct tr_json *json = calloc(1, sizeof(*json));
	if (!json)
		return NULL;
	json->file = file;
	json->gen = yajl_gen_alloc(NULL);
	if (json->gen &&
	    yajl_gen_config(json->gen, yajl_gen_print_callback, write_json_text, file))
		return json;
	if (json->gen)
		yajl_gen_free(json->gen);
	free(json);
	return NULL;
}

int tr_json_free(struct tr_json *json)
{
	if (!json)
		return TR_OK;
	bool failed = json->failed;
	putc('\n', json->file);
	yajl_gen_free(json->gen);
	free(json);
	return failed ? TR_E_NOMEM : TR_OK;
}

static void note_yajl_status(struct tr_json *json, yajl_gen_status status)
{
	json->failed |= status != yajl_gen_status_ok;
}

void tr_json_open_object(struct tr_json *json)
{
	note_yajl_status(json, yajl_gen_map_open(json->gen));
}

void tr_json_close_object(struct tr_json *json)
{
	note_yajl_status(json, yajl_gen_map_close(json->gen));
}

void tr_json_open_array(struct tr_json *json)
{
	note_yajl_status(json, yajl_gen_array_open(json->gen));
}

void tr_json_close_array(struct tr_json *json)
{
	note_yajl_status(json, yajl_gen_array_close(json->gen));
}

void tr_json_key(struct tr_json *json, const char *key)
{
	tr_json_text(json, key);
}

void tr_json_text(struct tr_json *json, const char *text)
{
	char *copy;
	const char *valid = tr_utf8_valid(text, &copy);
	if (valid)
		note_yajl_status(json,
				 yajl_gen_string(json->gen, (const unsigned char *)valid,
						 strlen(valid)));
	else
		json->failed = true;
	free(copy);
}

void tr_json_u64(struct tr_json *json, uint64_t value)
{
	char digits[24];
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	tr_json_number(json, digits);
}

void tr_json_bool(struct tr_json *json, bool value)
{
	note_yajl_status(json, yajl_gen_bool(json->gen, value));
}

void tr_json_null(struct tr_json *json)
{
	note_yajl_status(json, yajl_gen_null(json->gen));
}

void tr_json_number(struct tr_json *json, const char *digits)
{
	note_yajl_status(json, yajl_gen_number(json->gen, digits, strlen(digits)));
}

bool tr_json_is_number(const char *text)
{
	static const char digits[] = "0123456789";
	const char *at = text + (*text == '-');
	size_t whole = strspn(at, digits);
	if (!whole || (*at == '0' && whole > 1))
		return false;
	at += whole;
	if (*at != '.')
		return !*at;
	size_t fraction = strspn(at + 1, digits);
	return fraction && !at[1 + fraction];
}

void tr_json_open_member_object(struct tr_json *json, const char *key)
{
	tr_json_key(json, key);
	tr_json_open_object(json);
}

void tr_json_open_member_array(struct tr_json *json, const char *key)
{
	tr_json_key(json, key);
	tr_json_open_array(json);
}

void tr_json_member(struct tr_json *json, const char *key, const char *text)
{
	tr_json_key(json, key);
	tr_json_text(json, text);
}

void tr_json_member_u64(struct tr_json *json, const char *key, uint64_t value)
{
	tr_json_key(json, key);
	tr_json_u64(json, value);
}
