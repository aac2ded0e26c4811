/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page: a line about the run, the graph, and the script that renews both. */
#include "serve/serve_page.h"

#include "flame/picture.h"

static const char *const style[] = {
#include "serve/serve.css.inc"
    NULL,
};
static const char *const script[] = {
#include "serve/serve.js.inc"
    NULL,
};

int tr_serve_page(const struct tr_folded *folded, const struct tr_flame *flame,
		  FILE *file)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	      file);
	tr_flame_xml(file, flame->title);
	fputs("</title>\n<style>\n", file);
	tr_flame_lines(file, style);
	fputs("</style>\n</head>\n<body>\n<header>\n"
	      "<strong id=\"phase\">waiting for the first cycles</strong>\n"
	      "<span id=\"cycles\"></span>\n<span id=\"rate\"></span>\n"
	      "<span id=\"now\"></span>\n"
	      "<progress id=\"share\" max=\"1\" hidden aria-label=\"share "
	      "done\"></progress>\n"
	      "<span id=\"left\"></span>\n</header>\n<main data-live=\"1\">\n",
	      file);
	int status = tr_flame_write(folded, flame, file);
	fputs("</main>\n<script>\n\"use strict\";\n", file);
	tr_flame_lines(file, script);
	fputs("</script>\n</body>\n</html>\n", file);
	return status;
}
