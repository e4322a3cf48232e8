// SPDX-License-Identifier: GPL-2.0-or-later
/* Names without their scope, as users abbreviate C++ and Rust names. */
#include "translator/debuginfo/index/index.h"

#include <string.h>

#include "common/base/i18n.h"

const char *find_scope_end(const char *name)
{
	const char *found = NULL;
	int depth = 0;

	for (const char *next = name; *next; next++) {
		if (!depth && g_str_has_prefix(next, "operator") && (next == name || next[-1] == ':'))
			break;
		depth += strchr("<({", *next) ? 1 : strchr(">)}", *next) ? -1 : 0;
		if (!depth && next[0] == ':' && next[1] == ':')
			found = next++;
	}
	return found;
}

void index_scoped_names(const struct index *index, const void *first, uint64_t count, size_t size, const char *name,
			GPtrArray *ret)
{
	g_autofree char *suffix = g_strconcat("::", name, NULL);

	for (uint64_t i = 0; i < count; i++) {
		const char *found = index_string(index, *(const uint32_t *)((const char *)first + i * size));

		if (g_str_has_suffix(found, suffix) &&
		    (!ret->len || strcmp(g_ptr_array_index(ret, ret->len - 1), found) != 0))
			g_ptr_array_add(ret, (gpointer)found);
	}
}

struct error *scoped_names_error(const struct debuginfo *debuginfo, const char *name, const GPtrArray *names)
{
	enum { MOST_NAMES = 5 };
	g_autoptr(GString) text = g_string_new(NULL);
	struct error *error = error_new(ERROR_LOOKUP, _("%s has '%s' in %u scopes"), debuginfo->name, name, names->len);

	for (guint i = 0; i < names->len && i < MOST_NAMES; i++) {
		const char *choice = g_ptr_array_index(names, i);

		g_string_append_printf(text, "%s%s", i ? ", " : "", choice);
		error_with_alternative(error, choice);
	}
	return error_with_hint(error, _("say which: %s%s"), text->str, names->len > MOST_NAMES ? ", ..." : "");
}
