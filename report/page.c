// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page: page.html with the style, the script and the data put in their places.
 *
 * The data come from strangers: names of processes and files, and what a script prints. They are JSON in an element
 * that browsers do not run, with all characters escaped that could end it, and the script only ever makes text nodes of
 * them. Should that fail, the policy in the page's head allows only this script and this style, by their checksums, and
 * no connections.
 */
#include <string.h>

#include "common/base/i18n.h"
#include "report/formats.h"
#include "report/page_data.h"
#include "report/page_parts.h"

/* Append 'sha256-...', as in a content security policy. */
static void append_checksum(FILE *out, const char *text)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *encoded = NULL;
	guint8 digest[32];
	gsize length = sizeof(digest);

	g_checksum_update(checksum, (const guchar *)text, strlen(text));
	g_checksum_get_digest(checksum, digest, &length);
	encoded = g_base64_encode(digest, length);
	fprintf(out, "'sha256-%s'", encoded);
}

static void append_policy(const struct report *report, FILE *out)
{
	fputs("default-src 'none'; script-src ", out);
	append_checksum(out, page_script);
	fputs("; style-src ", out);
	append_checksum(out, page_css);
}

static void append_style(const struct report *report, FILE *out)
{
	fputs(page_css, out);
}

static void append_script(const struct report *report, FILE *out)
{
	fputs(page_script, out);
}

static const struct {
	const char *mark;
	void (*append)(const struct report *report, FILE *out);
} places[] = {
	{"@POLICY@", append_policy},
	{"@STYLE@", append_style},
	{"@DATA@", write_page_data},
	{"@SCRIPT@", append_script},
};

struct error *write_page(const struct report *report, FILE *out)
{
	const char *at = page_html;

	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		const char *mark = strstr(at, places[i].mark);

		g_assert(mark);
		fwrite(at, 1, mark - at, out);
		places[i].append(report, out);
		at = mark + strlen(places[i].mark);
	}
	fputs(at, out);
	return NULL;
}
