// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the DWARF of a program or library: in its own file, or in the file of debug symbols that was split off it.
 * That file is found by build-id or by the name in .gnu_debuglink, as in gdb.
 */
#include "translator/debuginfo/object/object.h"
#include "translator/debuginfo/sources/sources.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"

/* The contents of .gnu_debuglink: the name of a file and its CRC-32 (IEEE 802.3). */
struct debuglink {
	const char *name;
	uint32_t crc;
};

static bool read_debuglink(Elf *elf, struct debuglink *ret)
{
	struct span section = elf_section_span(elf, ".gnu_debuglink");
	const char *name = span_string(section, 0);
	struct reader reader = {section.data, section.data + section.size, false};

	if (!name || !name[0] || strchr(name, '/'))
		return false;
	read_skip(&reader, (strlen(name) + 1 + 3) / 4 * 4);
	*ret = (struct debuglink){name, (uint32_t)read_unsigned(&reader, 4)};
	return !reader.bad;
}

static uint32_t crc_of(const char *bytes, size_t size)
{
	uint32_t table[256], crc = UINT32_MAX;

	for (uint32_t i = 0; i < G_N_ELEMENTS(table); i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(crc ^ (uint8_t)bytes[i]) & 0xff];
	return ~crc;
}

/* Does the opened file belong to the object? Compare build-ids, or the checksum if one of them has no build-id. */
static bool belongs(const struct debuginfo *debuginfo, const struct debuglink *link)
{
	g_autofree char *build_id = elf_build_id(debuginfo->debug.elf);
	size_t size = 0;
	const char *bytes;

	if (build_id && debuginfo->build_id[0])
		return strcmp(build_id, debuginfo->build_id) == 0;
	bytes = elf_rawfile(debuginfo->debug.elf, &size);
	return link && bytes && crc_of(bytes, size) == link->crc;
}

/*
 * Open a file of debug symbols in addition to the object's own, if it exists and belongs to it. A matching file that is
 * unusable is an error; skipping it would silently know less.
 */
static struct error *try_file(struct debuginfo *debuginfo, const struct debuglink *link, const char *path, bool *found)
{
	struct object_file own = debuginfo->debug;
	struct error *error;

	if (!*found)
		file_facts_note(debuginfo->search.facts, path);
	if (*found || !g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	debuginfo->debug = (struct object_file){arena_strdup(debuginfo->arena, path), -1, NULL};
	error = open_elf(debuginfo);
	*found = error || (belongs(debuginfo, link) && has_dwarf(debuginfo->debug.elf));
	if (*found) {
		debuginfo->code = own;
		return error;
	}
	object_file_close(&debuginfo->debug);
	debuginfo->debug = own;
	return NULL;
}

enum { DEBUG_ROOTS = 3 };

/* Return the directories in which packages put files of debug symbols. */
static void debug_roots(const struct debuginfo *debuginfo, const char *roots[DEBUG_ROOTS])
{
	roots[0] = debuginfo->search.sysroot.directory ?: "";
	roots[1] = debuginfo->search.root;
	roots[2] = "";
}

char *debuginfo_build_id_path(const char *root, const char *id)
{
	return g_strdup_printf("%s%s/.build-id/%.2s/%s.debug", root, DEBUG_DIRECTORY, id, id + 2);
}

static struct error *try_build_id(struct debuginfo *debuginfo, bool *found)
{
	const char *roots[DEBUG_ROOTS];
	const char *id = debuginfo->build_id;
	struct error *error = NULL;

	debug_roots(debuginfo, roots);
	for (size_t i = 0; i < G_N_ELEMENTS(roots) && !error && strlen(id) > 2; i++) {
		g_autofree char *path = debuginfo_build_id_path(roots[i], id);

		error = try_file(debuginfo, NULL, path, found);
	}
	return error;
}

struct error *open_build_id(struct debuginfo *debuginfo, bool *found)
{
	const char *roots[DEBUG_ROOTS];
	const char *id = debuginfo->build_id;
	struct error *error = NULL;

	debug_roots(debuginfo, roots);
	for (size_t i = 0; i < G_N_ELEMENTS(roots) && !error && !*found; i++) {
		g_autofree char *path = debuginfo_build_id_path(roots[i], id);

		if (!g_file_test(path, G_FILE_TEST_EXISTS))
			continue;
		debuginfo->named_file = arena_strdup(debuginfo->arena, path);
		error = open_object_file(debuginfo, found);
		*found = error || (!strcmp(debuginfo->build_id, id) && has_dwarf(debuginfo->debug.elf));
		if (*found)
			break;
		object_file_close(&debuginfo->debug);
		debuginfo->named_file = NULL;
		debuginfo->build_id = id;
	}
	return error || !*found ? error : check_dwarf(debuginfo);
}

static struct error *try_debuglink(struct debuginfo *debuginfo, bool *found)
{
	const struct sysroot *sysroot = &debuginfo->search.sysroot;
	g_autofree char *real = sysroot_resolve(sysroot, debuginfo->named_file);
	g_autofree char *here = g_path_get_dirname(real ?: debuginfo->named_file);
	const char *directory = sysroot_inside(sysroot, here);
	struct debuglink link;
	struct error *error = NULL;

	if (*found || !read_debuglink(debuginfo->debug.elf, &link))
		return NULL;
	const char *name = link.name, *root = debuginfo->search.root;
	g_autofree char *beside = g_build_filename(here, name, NULL);
	g_autofree char *below = g_build_filename(here, ".debug", name, NULL);
	g_autofree char *in_sysroot =
		g_strdup_printf("%s%s%s/%s", sysroot->directory ?: "", DEBUG_DIRECTORY, directory, name);
	g_autofree char *in_root = g_strdup_printf("%s%s%s/%s", root, DEBUG_DIRECTORY, directory, name);
	g_autofree char *in_system = g_strdup_printf("%s%s/%s", DEBUG_DIRECTORY, directory, name);
	const char *places[] = {beside, below, in_sysroot, in_root, in_system};

	/* The name may lead back to the program itself. */
	for (size_t i = 0; i < G_N_ELEMENTS(places) && !error; i++)
		if (g_strcmp0(places[i], real) != 0)
			error = try_file(debuginfo, &link, places[i], found);
	return error;
}

struct error *open_object_dwarf(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = open_object_file(debuginfo, found);

	if (error)
		return error;
	*found = has_dwarf(debuginfo->debug.elf);
	if (!*found)
		error = try_build_id(debuginfo, found);
	if (!error && !*found)
		error = try_debuglink(debuginfo, found);
	return error || !*found ? error : check_dwarf(debuginfo);
}
