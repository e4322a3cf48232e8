// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF of one object in several files: what dwz -m has moved to a file that many programs share (.gnu_debugaltlink),
 * and what the compiler has put into files of its own for each unit (-gsplit-dwarf). libdw opens these.
 *
 * An offset says which DIE is meant in one file only. So the files' .debug_info are taken for one row, the object's own
 * first, and an offset in the index is one in that row.
 */
#include "translator/debuginfo/object/dwarf.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "translator/util/i18n.h"
#include "translator/util/process.h"

#define ALTERNATE_LINK ".gnu_debugaltlink"

/* A file of DWARF, and where its .debug_info begins in the row. */
struct parts {
	GArray *all; /* struct dwarf_part */
	unsigned int missing; /* units whose file is not there */
	Dwarf *shared; /* opened here */
	int fd; /* of that */
};

static uint64_t info_size(Dwarf *dwarf)
{
	return dwarf_find_sections(dwarf).info.size;
}

static void add_part(struct parts *parts, Dwarf *dwarf, Dwarf_Die *skeleton)
{
	struct dwarf_part part = {.dwarf = dwarf, .size = info_size(dwarf)};

	for (guint i = 0; i < parts->all->len; i++) {
		const struct dwarf_part *other = &g_array_index(parts->all, struct dwarf_part, i);

		if (other->dwarf == dwarf)
			return;
		part.base = other->base + other->size;
	}
	if (skeleton)
		part.skeleton = *skeleton;
	g_array_append_val(parts->all, part);
}

/* libdw knows the folders of this machine alone. */
static void open_shared(struct debuginfo *debuginfo, struct parts *parts, Dwarf *own)
{
	struct span link = elf_section_span(dwarf_getelf(own), ALTERNATE_LINK);
	const char *name = span_string(link, 0);
	size_t start = name ? strlen(name) + 1 : 0;
	const char *roots[] = {debuginfo->search.sysroot.folder ?: "", debuginfo->search.root};
	g_autoptr(GString) path = g_string_new(NULL);

	if (!name || start >= link.size || dwarf_getalt(own))
		return;
	g_string_printf(path, "/usr/lib/debug/.build-id/%02x/", link.data[start]);
	for (size_t i = start + 1; i < link.size; i++)
		g_string_append_printf(path, "%02x", link.data[i]);
	g_string_append(path, ".debug");
	for (size_t i = 0; i < G_N_ELEMENTS(roots) && parts->fd < 0; i++) {
		g_autofree char *file = g_strconcat(roots[i], path->str, NULL);

		parts->fd = open(file, O_RDONLY | O_CLOEXEC);
	}
	parts->shared = parts->fd < 0 ? NULL : dwarf_begin(parts->fd, DWARF_C_READ);
	if (parts->shared)
		dwarf_setalt(own, parts->shared);
}

static void add_split_units(struct parts *parts, Dwarf *own)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;
	uint8_t type = 0;

	while (dwarf_get_units(own, unit, &unit, NULL, &type, &die, NULL) == 0) {
		if (type != DW_UT_skeleton)
			continue;
		if (dwarf_cu_info(unit, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 && split.addr)
			add_part(parts, dwarf_cu_getdwarf(split.cu), &die);
		else
			parts->missing++;
	}
}

/* A relocatable file, and what is the kernel's, is whole. */
static struct parts *find_parts(struct debuginfo *debuginfo)
{
	struct parts *parts = g_new0(struct parts, 1);
	Dwarf *own = debuginfo->dwarf, *shared;

	parts->fd = -1;
	parts->all = g_array_new(FALSE, FALSE, sizeof(struct dwarf_part));
	add_part(parts, own, NULL);
	if (!debuginfo->object)
		return parts;
	open_shared(debuginfo, parts, own);
	shared = dwarf_getalt(own);
	if (shared)
		add_part(parts, shared, NULL);
	add_split_units(parts, own);
	/* Where libdw looked for them is not known here. */
	if (parts->all->len > 1 || parts->missing || elf_section_span(dwarf_getelf(own), ALTERNATE_LINK).size)
		file_facts_give_up(debuginfo->search.facts);
	return parts;
}

static struct parts *parts_of(struct debuginfo *debuginfo)
{
	if (!debuginfo->parts)
		debuginfo->parts = find_parts(debuginfo);
	return debuginfo->parts;
}

const GArray *dwarf_parts(struct debuginfo *debuginfo)
{
	return parts_of(debuginfo)->all;
}

unsigned int dwarf_missing_parts(struct debuginfo *debuginfo)
{
	return parts_of(debuginfo)->missing;
}

bool dwarf_die_at(struct debuginfo *debuginfo, uint64_t offset, Dwarf_Die *ret)
{
	const GArray *all = dwarf_parts(debuginfo);

	for (guint i = 0; i < all->len; i++) {
		const struct dwarf_part *part = &g_array_index(all, struct dwarf_part, i);

		if (offset >= part->base && offset - part->base < part->size)
			return dwarf_offdie(part->dwarf, offset - part->base, ret) != NULL;
	}
	return false;
}

uint64_t dwarf_offset_of(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	const GArray *all = dwarf_parts(debuginfo);

	for (guint i = 0; i < all->len; i++) {
		const struct dwarf_part *part = &g_array_index(all, struct dwarf_part, i);

		if (part->dwarf == dwarf)
			return part->base + dwarf_dieoffset(die);
	}
	return dwarf_dieoffset(die);
}

void parts_use_package(struct debuginfo *debuginfo)
{
	g_autofree char *folder = NULL;
	Dwarf *other;
	int fd;

	if (!debuginfo->object)
		return;
	other = package_open(debuginfo, debuginfo->dwarf, &folder, &fd);
	if (other) {
		dwarf_end(debuginfo->dwarf);
		debuginfo->dwarf = other;
		debuginfo->package_fd = fd;
		parts_of(debuginfo); /* all are open now */
	} else if (fd >= 0) {
		close(fd);
	}
	if (folder)
		remove_tree(folder);
}

void parts_close(struct debuginfo *debuginfo)
{
	struct parts *parts = debuginfo->parts;

	if (debuginfo->package_fd > 0)
		close(debuginfo->package_fd);
	if (!parts)
		return;
	g_array_unref(parts->all);
	if (parts->shared)
		dwarf_end(parts->shared);
	if (parts->fd >= 0)
		close(parts->fd);
	g_free(parts);
	debuginfo->parts = NULL;
}

struct error *dwarf_check_shared(struct debuginfo *debuginfo)
{
	const char *name = span_string(elf_section_span(debuginfo->debug.elf, ".gnu_debugaltlink"), 0);
	Dwarf *dwarf;
	struct error *error = name ? debuginfo_dwarf(debuginfo, &dwarf) : NULL;

	if (error || !name)
		return error;
	dwarf_parts(debuginfo);
	if (dwarf_getalt(dwarf))
		return NULL;
	error = error_new(ERROR_DEBUGINFO,
			  _("cannot use the debuginfo in %s: dwz has moved parts of it to %s, which is not there"),
			  debuginfo->debug.path, name);
	return error_with_hint(error, _("install all packages of its debug symbols"));
}
