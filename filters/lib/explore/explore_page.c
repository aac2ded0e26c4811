/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page, whose scripts ask for all that it shows. */
#include <string.h>

#include "explore/explore_answer.h"
#include "flame/picture.h"

static const char *const style[] = {
#include "explore/explore.css.inc"
    NULL,
};
/* explore_time.js, the last, starts the page. */
static const char *const script[] = {
#include "explore/explore.js.inc"
#include "explore/explore_colours.js.inc"
#include "explore/explore_flame.js.inc"
#include "explore/explore_table.js.inc"
#include "explore/explore_code.js.inc"
#include "explore/explore_marks.js.inc"
#include "explore/explore_time.js.inc"
    NULL,
};

static const char head[] =
    "<header>\n<h1></h1>\n<span id=\"phase\" role=\"status\">loading</span>\n"
    "<span class=\"gap\"></span>\n"
    "<label hidden>process<select id=\"process\"></select></label>\n"
    "<label hidden>thread<select id=\"thread\"></select></label>\n"
    "<label hidden>hart<select id=\"hart\"></select></label>\n"
    "<label>colours<select id=\"colours\"></select></label>\n"
    "<input id=\"search\" type=\"search\" placeholder=\"search (/)\" "
    "aria-label=\"search for functions by a regular expression\">\n"
    "<span id=\"found\" role=\"status\"></span>\n"
    "<button id=\"reset\" title=\"show the whole run (r)\">Reset</button>\n"
    "<button id=\"theme\" title=\"light or dark (d)\">Dark</button>\n"
    "<button id=\"keys\" title=\"keys (?)\" aria-label=\"keys\">?</button>\n</header>\n";

static const char panes[] =
    "<section class=\"time\">\n"
    "<div class=\"caption\"><strong id=\"time\"></strong><span class=\"gap\"></span>"
    "<span id=\"parts\" class=\"keys\"></span>"
    "<button id=\"marksopen\" title=\"marks by name (5)\" hidden>Marks</button>"
    "<button id=\"zoomin\" disabled>Zoom</button>"
    "<button id=\"clear\" disabled>Clear</button></div>\n"
    "<canvas id=\"marks\" tabindex=\"0\" role=\"img\" aria-label=\"marks of the program: "
    "arrow keys move, Enter selects the time of a region\" hidden></canvas>\n"
    "<canvas id=\"overview\" tabindex=\"0\" role=\"slider\" aria-valuenow=\"0\" "
    "aria-label=\"time: arrow keys move the selection, with Shift they change its "
    "length\"></canvas>\n</section>\n<main>\n<section class=\"pane\">\n"
    "<div class=\"caption\"><span id=\"path\" hidden></span><span id=\"legend\" "
    "class=\"keys\"></span></div>\n"
    "<div id=\"flame\" tabindex=\"0\" role=\"img\" aria-label=\"flame graph: arrow keys "
    "move, Enter zooms, Escape goes back\"><canvas></canvas><div "
    "class=\"room\"></div></div>\n"
    "<div id=\"info\"></div>\n</section>\n<section class=\"pane\">\n"
    "<div class=\"caption\"><span id=\"count\"></span></div>\n"
    "<div class=\"table\"><div id=\"head\" class=\"row head\"></div><div id=\"rows\" "
    "tabindex=\"0\" role=\"listbox\" aria-label=\"functions\"></div></div>\n"
    "<div id=\"detail\" class=\"detail\" hidden></div>\n</section>\n</main>\n"
    "<section id=\"code\" class=\"pane\" tabindex=\"-1\" aria-label=\"instructions of "
    "the "
    "chosen function\" hidden>\n"
    "<div class=\"caption\"><strong id=\"codename\"></strong><span "
    "id=\"codepart\"></span>"
    "<span class=\"gap\"></span><button id=\"codeclose\" title=\"close "
    "(Esc)\">Close</button>"
    "</div>\n<p id=\"codenote\" role=\"status\"></p>\n<div class=\"table\">"
    "<div class=\"insn head\"><span>executions</span><span>cycles</span><span "
    "class=\"share\">share</span>"
    "<span>CPI</span><span class=\"lost\">lost to</span><span "
    "class=\"address\">address</span>"
    "<span class=\"text\">instruction</span></div><div id=\"coderows\" tabindex=\"0\" "
    "role=\"listbox\" aria-label=\"instructions\"></div></div>\n</section>\n"
    "<section id=\"markpane\" class=\"pane\" aria-label=\"marks by name\" hidden>\n"
    "<div class=\"caption\"><strong>Marks</strong><span id=\"markpart\"></span><span "
    "class=\"gap\"></span><span id=\"markstep\"><button id=\"markback\" title=\"the one "
    "before (p)\" aria-label=\"the one before\">\u2039</button> <span id=\"marknth\" "
    "role=\"status\"></span> <button id=\"marknext\" title=\"the next one (n)\" "
    "aria-label=\"the next one\">\u203a</button> <button id=\"marklongest\" title=\"the "
    "longest region\">Longest</button></span><button id=\"markclose\" title=\"close "
    "(Esc)\">Close</button></div>\n<div class=\"table\"><div id=\"markhead\" "
    "class=\"mark "
    "head\"></div><div id=\"markrows\" tabindex=\"0\" role=\"listbox\" "
    "aria-label=\"names of marks\"></div></div>\n</section>\n"
    "<div id=\"tip\" role=\"tooltip\" hidden></div>\n";

static const char help[] =
    "<dialog id=\"help\"><h2>Keys</h2><dl>\n"
    "<dt><kbd>/</kbd> <kbd>Ctrl-F</kbd></dt><dd>search by a regular expression; "
    "<kbd>Esc</kbd> ends it</dd>\n"
    "<dt><kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> <kbd>4</kbd></dt><dd>go to time, flame "
    "graph, functions, instructions</dd>\n"
    "<dt>time: <kbd>←</kbd> <kbd>→</kbd></dt><dd>move the selection; with "
    "<kbd>Shift</kbd> change its length; <kbd>z</kbd> zoom; <kbd>Esc</kbd> whole "
    "run</dd>\n"
    "<dt>flame graph: arrows</dt><dd>move; <kbd>Enter</kbd> zoom, <kbd>Esc</kbd> back, "
    "<kbd>Space</kbd> choose the function</dd>\n"
    "<dt>functions: <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>choose one; its frames are "
    "marked</dd>\n"
    "<dt>instructions: <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>move; <kbd>Esc</kbd> "
    "closes</dd>\n"
    "<dt>marks: <kbd>↑</kbd> <kbd>↓</kbd></dt><dd>choose a name; <kbd>n</kbd> "
    "<kbd>p</kbd> select the time of its next region, or the one before</dd>\n"
    "<dt><kbd>r</kbd></dt><dd>reset</dd>\n<dt><kbd>d</kbd></dt><dd>light or dark</dd>\n"
    "<dt><kbd>?</kbd></dt><dd>this list</dd>\n</dl>\n"
    "<h2>Pointer</h2><dl>\n<dt>drag in the time</dt><dd>select a part of the run; a "
    "click "
    "ends it; a click on a lane's name shows it alone, one on a region of a mark its "
    "time</dd>\n"
    "<dt>click a frame</dt><dd>zoom; the lowest frame zooms out</dd>\n"
    "<dt>right-click a frame</dt><dd>choose its function</dd>\n</dl>\n"
    "<form method=\"dialog\"><button>Close</button></form></dialog>\n";

/* Returns the last part of a path. */
static const char *find_base(const char *folder, int *length)
{
	size_t end = strlen(folder);
	while (end > 1 && folder[end - 1] == '/')
		end--;
	size_t start = end;
	while (start && folder[start - 1] != '/')
		start--;
	*length = (int)(end - start);
	return folder + start;
}

void tr_explore_page(const char *folder, FILE *file)
{
	int length;
	char name[256];
	const char *base = find_base(folder, &length);
	snprintf(name, sizeof(name), "%.*s", length, base);
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	      file);
	tr_flame_xml(file, name);
	fputs("</title>\n<style>\n", file);
	tr_flame_lines(file, style);
	fputs("</style>\n</head>\n<body>\n", file);
	fputs(head, file);
	fputs(panes, file);
	fputs(help, file);
	fputs("<script>\n\"use strict\";\ndocument.querySelector(\"h1\").textContent = "
	      "document.title;\n",
	      file);
	tr_flame_lines(file, script);
	fputs("</script>\n</body>\n</html>\n", file);
}
