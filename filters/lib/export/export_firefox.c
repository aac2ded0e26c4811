/* SPDX-License-Identifier: Apache-2.0 */
/* The processed profile of the Firefox Profiler, version 70 of its format.
 *
 * Each group, or without groups each program, is a thread, and each of its stacks is one
 * sample with the weight of its cycles. The samples are in the order of a flame graph,
 * not of time: the time of a sample is the sum of the weights before it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "export/export_formats.h"
#include "export/export_order.h"
#include "flame/tint.h"

enum { OTHER, USER, KERNEL, FIRMWARE, CODE, PROGRAM, IDLE, CATEGORIES };

/* Colours as in a flame graph. */
static const struct {
	const char *name, *color;
} categories[CATEGORIES] = {
    [OTHER] = {"Other", "grey"},     [USER] = {"User", "yellow"},
    [KERNEL] = {"Kernel", "orange"}, [FIRMWARE] = {"Firmware", "blue"},
    [CODE] = {"Code", "green"},	     [PROGRAM] = {"Program", "lightblue"},
    [IDLE] = {"Idle", "transparent"}};

enum { SHOWN_THREADS = 20 }; /* at first */

struct firefox {
	const struct tr_export *export;
	struct tr_export_order *order;
	struct tr_json *json;
	double ms; /* of a unit */
};

static unsigned category_of(const struct firefox *f, const struct tr_func *func)
{
	static const uint8_t of_tint[TR_TINTS] = {
	    [TR_TINT_USER] = USER,	   [TR_TINT_KERNEL] = KERNEL,
	    [TR_TINT_FIRMWARE] = FIRMWARE, [TR_TINT_PROGRAM] = PROGRAM,
	    [TR_TINT_OTHER] = OTHER,	   [TR_TINT_CODE] = CODE};
	return func->kind == TR_FRAME_IDLE ? IDLE
					   : of_tint[tr_tint_of(f->export->header, func)];
}

/* Values. */

static void put_ms(struct tr_json *json, double ms)
{
	char text[32];
	snprintf(text, sizeof(text), "%.12g", ms);
	tr_json_number(json, text);
}

static void member_bool(struct tr_json *json, const char *key, bool value)
{
	tr_json_key(json, key);
	tr_json_bool(json, value);
}

static void close_table(struct tr_json *json, size_t length)
{
	tr_json_member_u64(json, "length", length);
	tr_json_close_object(json);
}

static void empty_column(struct tr_json *json, const char *key)
{
	tr_json_open_member_array(json, key);
	tr_json_close_array(json);
}

enum cell { CELL_NULL, CELL_FALSE, CELL_NONE /* -1 */, CELL_ZERO, CELL_INDEX };

/* A column whose cells are all the same, or their own index. */
static void write_uniform_column(struct tr_json *json, const char *key, size_t count,
				 enum cell cell)
{
	tr_json_open_member_array(json, key);
	for (size_t i = 0; i < count; i++)
		if (cell == CELL_NULL)
			tr_json_null(json);
		else if (cell == CELL_FALSE)
			tr_json_bool(json, false);
		else if (cell == CELL_NONE)
			tr_json_number(json, "-1");
		else
			tr_json_u64(json, cell == CELL_INDEX ? i : 0);
	tr_json_close_array(json);
}

/* meta */

static void put_categories(struct tr_json *json)
{
	tr_json_open_member_array(json, "categories");
	for (unsigned i = 0; i < CATEGORIES; i++) {
		tr_json_open_object(json);
		tr_json_member(json, "name", categories[i].name);
		tr_json_member(json, "color", categories[i].color);
		tr_json_open_member_array(json, "subcategories");
		tr_json_text(json, "Other");
		tr_json_close_array(json);
		tr_json_close_object(json);
	}
	tr_json_close_array(json);
}

static void write_metadata_entry(struct tr_json *json, const char *label,
				 const char *text)
{
	tr_json_open_object(json);
	tr_json_member(json, "label", label);
	tr_json_member(json, "format", "string");
	tr_json_member(json, "value", text);
	tr_json_close_object(json);
}

/* Says what the weights and times are. */
static void put_extra(const struct firefox *f)
{
	const struct tr_export *e = f->export;
	struct tr_json *json = f->json;
	char time[160];
	if (e->clock_hz)
		snprintf(time, sizeof(time),
			 "order of a flame graph, not of time; 1 s is %" PRIu64 " %s",
			 e->clock_hz, e->unit);
	else
		snprintf(time, sizeof(time),
			 "order of a flame graph, not of time; 1 ms stands for 1000 %s",
			 e->unit);
	tr_json_open_member_array(json, "extra");
	tr_json_open_object(json);
	tr_json_member(json, "label", "Trace");
	tr_json_open_member_array(json, "entries");
	write_metadata_entry(json, "Samples", e->unit);
	write_metadata_entry(json, "Time axis", time);
	write_metadata_entry(json, "Conservation", e->note);
	tr_json_close_array(json);
	tr_json_close_object(json);
	tr_json_close_array(json);
}

/* The threads with most cycles are shown at first. */
static void put_visible(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	uint32_t best[SHOWN_THREADS], count = 0;
	for (uint32_t t = 0; t < o->nthreads; t++) {
		uint32_t at = count < SHOWN_THREADS ? count++ : SHOWN_THREADS;
		while (at && o->threads[best[at - 1]].sum < o->threads[t].sum) {
			if (at < SHOWN_THREADS)
				best[at] = best[at - 1];
			at--;
		}
		if (at < SHOWN_THREADS)
			best[at] = t;
	}
	tr_json_open_member_array(f->json, "initialVisibleThreads");
	for (uint32_t i = 0; i < count; i++)
		tr_json_u64(f->json, best[i]);
	tr_json_close_array(f->json);
	tr_json_open_member_array(f->json, "initialSelectedThreads");
	if (count)
		tr_json_u64(f->json, best[0]);
	tr_json_close_array(f->json);
}

static void put_meta(const struct firefox *f)
{
	struct tr_json *json = f->json;
	tr_json_open_member_object(json, "meta");
	tr_json_key(json, "interval");
	put_ms(json, f->ms);
	tr_json_member_u64(json, "startTime", 0);
	tr_json_member_u64(json, "processType", 0);
	tr_json_member(json, "product", f->export->title ? f->export->title : "tr-fold");
	tr_json_member(json, "importedFrom", "tr-fold");
	tr_json_member_u64(json, "stackwalk", 1);
	member_bool(json, "debug", false);
	tr_json_member_u64(json, "version", 36);
	tr_json_member_u64(json, "preprocessedProfileVersion", 70);
	member_bool(json, "symbolicated", true);
	member_bool(json, "symbolicationNotSupported", true);
	member_bool(json, "usesOnlyOneStackType", true);
	member_bool(json, "sourceCodeIsNotOnSearchfox", true);
	member_bool(json, "keepProfileThreadOrder", true);
	empty_column(json, "markerSchema");
	put_categories(json);
	put_visible(f);
	put_extra(f);
	tr_json_close_object(json);
}

/* shared: one frame for each function */

static void write_stack_table(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	struct tr_json *json = f->json;
	tr_json_open_member_object(json, "stackTable");
	tr_json_open_member_array(json, "frame");
	for (uint32_t i = 0; i < o->nstacks; i++)
		tr_json_u64(json, o->stacks[i].func);
	tr_json_close_array(json);
	tr_json_open_member_array(json, "prefixOffset");
	for (uint32_t i = 0; i < o->nstacks; i++)
		tr_json_u64(json, o->stacks[i].is_root ? 0 : i - o->stacks[i].parent);
	tr_json_close_array(json);
	close_table(json, o->nstacks);
}

/* An address is of the file of the function's binary. Firefox Profiler takes up to 53
 * bits. */
static void put_addresses(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	tr_json_open_member_array(f->json, "address");
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (o->funcs[i].func->address && o->funcs[i].func->address >> 53 == 0)
			tr_json_u64(f->json, o->funcs[i].func->address);
		else
			tr_json_number(f->json, "-1");
	tr_json_close_array(f->json);
}

static void write_binary_column(const struct firefox *f, const char *key)
{
	const struct tr_export_order *o = f->order;
	tr_json_open_member_array(f->json, key);
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (o->funcs[i].binary == TR_EXPORT_NO_BINARY)
			tr_json_number(f->json, "-1");
		else
			tr_json_u64(f->json, o->funcs[i].binary);
	tr_json_close_array(f->json);
}

static void write_frame_table(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	struct tr_json *json = f->json;
	tr_json_open_member_object(json, "frameTable");
	put_addresses(f);
	write_binary_column(f, "lib");
	write_uniform_column(json, "inlineDepth", o->nfuncs, CELL_ZERO);
	tr_json_open_member_array(json, "category");
	for (uint32_t i = 0; i < o->nfuncs; i++)
		tr_json_u64(json, category_of(f, o->funcs[i].func));
	tr_json_close_array(json);
	write_uniform_column(json, "subcategory", o->nfuncs, CELL_ZERO);
	write_uniform_column(json, "func", o->nfuncs, CELL_INDEX);
	write_uniform_column(json, "nativeSymbol", o->nfuncs, CELL_NULL);
	write_uniform_column(json, "innerWindowID", o->nfuncs, CELL_ZERO);
	write_uniform_column(json, "line", o->nfuncs, CELL_NULL);
	write_uniform_column(json, "column", o->nfuncs, CELL_NULL);
	write_uniform_column(json, "originalLocation", o->nfuncs, CELL_NULL);
	close_table(json, o->nfuncs);
}

/* String i is the name of function i; those of binaries follow. */
static void put_funcs(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	struct tr_json *json = f->json;
	tr_json_open_member_object(json, "funcTable");
	write_uniform_column(json, "name", o->nfuncs, CELL_INDEX);
	write_uniform_column(json, "isJS", o->nfuncs, CELL_FALSE);
	write_uniform_column(json, "relevantForJS", o->nfuncs, CELL_FALSE);
	write_binary_column(f, "resource");
	write_uniform_column(json, "source", o->nfuncs, CELL_NULL);
	write_uniform_column(json, "lineNumber", o->nfuncs, CELL_NULL);
	write_uniform_column(json, "columnNumber", o->nfuncs, CELL_NULL);
	write_uniform_column(json, "originalLocation", o->nfuncs, CELL_NULL);
	close_table(json, o->nfuncs);
	tr_json_open_member_object(json, "resourceTable");
	tr_json_open_member_array(json, "name");
	for (uint32_t i = 0; i < o->nbinaries; i++)
		tr_json_u64(json, o->nfuncs + i);
	tr_json_close_array(json);
	write_uniform_column(json, "host", o->nbinaries, CELL_NULL);
	tr_json_open_member_array(json, "type");
	for (uint32_t i = 0; i < o->nbinaries; i++)
		tr_json_u64(json, 1); /* a library */
	tr_json_close_array(json);
	close_table(json, o->nbinaries);
}

/* Tables that are empty here. */
static void put_empty(struct tr_json *json)
{
	static const struct {
		const char *name, *columns[6];
	} tables[] = {
	    {"nativeSymbols", {"libIndex", "address", "name", "functionSize"}},
	    {"sources",
	     {"id", "filename", "startLine", "startColumn", "sourceMapURL", "content"}},
	    {"sourceLocationTable", {"source", "line", "column"}},
	};
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		tr_json_open_member_object(json, tables[i].name);
		for (size_t c = 0; c < 6 && tables[i].columns[c]; c++)
			empty_column(json, tables[i].columns[c]);
		close_table(json, 0);
	}
}

static void put_shared(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	tr_json_open_member_object(f->json, "shared");
	write_stack_table(f);
	write_frame_table(f);
	put_funcs(f);
	put_empty(f->json);
	tr_json_open_member_array(f->json, "stringArray");
	for (uint32_t i = 0; i < o->nfuncs; i++)
		tr_json_text(f->json, o->funcs[i].func->name);
	for (uint32_t i = 0; i < o->nbinaries; i++)
		tr_json_text(f->json, o->binaries[i]);
	tr_json_close_array(f->json);
	tr_json_close_object(f->json);
}

/* threads */

/* The last sample has no stack: it ends the one before it. */
static void write_sample_table(const struct firefox *f,
			       const struct tr_export_thread *thread)
{
	const struct tr_export_sample *samples = f->order->samples + thread->first;
	struct tr_json *json = f->json;
	uint64_t before = 0;
	tr_json_open_member_object(json, "samples");
	tr_json_open_member_array(json, "stack");
	for (uint32_t i = 0; i < thread->count; i++)
		tr_json_u64(json, samples[i].stack);
	tr_json_null(json);
	tr_json_close_array(json);
	tr_json_open_member_array(json, "time");
	for (uint32_t i = 0; i < thread->count; i++) {
		put_ms(json, (double)before * f->ms);
		before += samples[i].value;
	}
	put_ms(json, (double)before * f->ms);
	tr_json_close_array(json);
	tr_json_open_member_array(json, "weight");
	for (uint32_t i = 0; i < thread->count; i++)
		tr_json_u64(json, samples[i].value);
	tr_json_u64(json, 0);
	tr_json_close_array(json);
	tr_json_member(json, "weightType", "samples");
	close_table(json, thread->count + 1U);
}

static void put_markers(struct tr_json *json)
{
	static const char *const columns[] = {"data",	 "name",  "startTime",
					      "endTime", "phase", "category"};
	tr_json_open_member_object(json, "markers");
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		empty_column(json, columns[i]);
	close_table(json, 0);
}

/* The names are ours, so the process is named, not numbered. */
static void write_firefox_thread(const struct firefox *f, uint32_t t)
{
	const struct tr_export_thread *thread = &f->order->threads[t];
	struct tr_json *json = f->json;
	tr_json_open_object(json);
	tr_json_member(json, "processType", "default");
	tr_json_member(json, "processName", thread->name);
	tr_json_member_u64(json, "processStartupTime", 0);
	tr_json_key(json, "processShutdownTime");
	tr_json_null(json);
	tr_json_member_u64(json, "registerTime", 0);
	tr_json_key(json, "unregisterTime");
	tr_json_null(json);
	empty_column(json, "pausedRanges");
	tr_json_member(json, "name", thread->name);
	member_bool(json, "isMainThread", true);
	tr_json_member(json, "pid", thread->name);
	tr_json_member_u64(json, "tid", t);
	write_sample_table(f, thread);
	put_markers(json);
	tr_json_close_object(json);
}

static void put_libs(const struct firefox *f)
{
	const struct tr_export_order *o = f->order;
	tr_json_open_member_array(f->json, "libs");
	for (uint32_t i = 0; i < o->nbinaries; i++) {
		const char *build_id = tr_export_binary_value(
		    f->export->header, o->binaries[i], ".build_id");
		tr_json_open_object(f->json);
		tr_json_member(f->json, "arch", "riscv");
		tr_json_member(f->json, "name", o->binaries[i]);
		tr_json_member(f->json, "path", o->binaries[i]);
		tr_json_member(f->json, "debugName", o->binaries[i]);
		tr_json_member(f->json, "debugPath", o->binaries[i]);
		tr_json_member(f->json, "breakpadId", "");
		tr_json_key(f->json, "codeId");
		if (build_id)
			tr_json_text(f->json, build_id);
		else
			tr_json_null(f->json);
		tr_json_close_object(f->json);
	}
	tr_json_close_array(f->json);
}

static int write_firefox(const struct tr_export *export, void *state, FILE *file)
{
	struct tr_export_order order = {0};
	struct firefox f = {.export = export, .order = &order, .json = tr_json_new(file)};
	(void)state;
	f.ms = export->clock_hz ? 1000.0 / (double)export->clock_hz : 0.001;
	int status = f.json ? tr_export_order_make(&order, export) : TR_E_NOMEM;
	if (!f.json)
		return status;
	tr_json_open_object(f.json);
	put_meta(&f);
	put_libs(&f);
	put_shared(&f);
	tr_json_open_member_array(f.json, "threads");
	for (uint32_t t = 0; t < order.nthreads; t++)
		write_firefox_thread(&f, t);
	tr_json_close_array(f.json);
	tr_json_close_object(f.json);
	tr_export_order_release(&order);
	int written = tr_json_free(f.json);
	return status ? status : written;
}

const struct tr_export_format tr_export_firefox = {
    .name = "firefox",
    .suffix = ".json",
    .summary = "for the Firefox Profiler: a thread for each program, or group of --by",
    .has_no_parts = true,
    .write = write_firefox,
};
