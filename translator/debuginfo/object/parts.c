// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of one object's DWARF, when it is spread over several files and sections:
 *  - what dwz -m moved to a file that many programs share (.gnu_debugaltlink),
 *  - the split units that the compiler put into separate files (-gsplit-dwarf, split.c),
 *  - type units (-fdebug-types-section), which are in .debug_types before DWARF 5.
 *
 * A DIE offset is unique only within one section. So all these sections are treated as concatenated, the object's own
 * .debug_info first, and offsets in the index count in that concatenation.
 */
#include "translator/debuginfo/object/dwarf.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/object/split.h"

#define ALTERNATE_LINK ".gnu_debugaltlink"

/* A DWARF file opened by this file. */
struct opened {
	Dwarf *dwarf;
	int fd;
};

struct parts {
	GArray *all; /* struct dwarf_part */
	unsigned int missing; /* split units whose file was not found */
	GArray *opened; /* struct opened */
	GHashTable *types; /* signature of a type unit -> Dwarf_Die of its type; built on first use */
};

static void add_part(struct parts *parts, const struct dwarf_part *new)
{
	struct dwarf_part part = *new;

	for (guint i = 0; i < parts->all->len; i++) {
		const struct dwarf_part *other = &g_array_index(parts->all, struct dwarf_part, i);

		if (other->dwarf == part.dwarf && other->are_types == part.are_types)
			return;
		part.base = other->base + other->size;
	}
	g_array_append_val(parts->all, part);
}

/* Add a file's .debug_info, and its .debug_types if it has one. */
static void add_file(struct parts *parts, Dwarf *dwarf, Dwarf_Die *skeleton)
{
	struct dwarf_part part = {.dwarf = dwarf, .size = dwarf_find_sections(dwarf).info.size};
	uint64_t types = dwarf_find_type_sections(dwarf).info.size;

	if (skeleton)
		part.skeleton = *skeleton;
	add_part(parts, &part);
	part.are_types = true;
	part.size = types;
	if (types)
		add_part(parts, &part);
}

static Dwarf *open_file(struct parts *parts, const char *path)
{
	struct opened opened = {.fd = open(path, O_RDONLY | O_CLOEXEC)};

	opened.dwarf = opened.fd < 0 ? NULL : dwarf_begin(opened.fd, DWARF_C_READ);
	if (opened.dwarf)
		g_array_append_val(parts->opened, opened);
	else if (opened.fd >= 0)
		close(opened.fd);
	return opened.dwarf;
}

/* Open the file shared by dwz in the sysroot or the packages' root; libdw searches only this machine. */
static void open_shared(struct debuginfo *debuginfo, struct parts *parts, Dwarf *own)
{
	struct span link = elf_section_span(dwarf_getelf(own), ALTERNATE_LINK);
	const char *name = span_string(link, 0);
	size_t start = name ? strlen(name) + 1 : 0;
	const char *roots[] = {debuginfo->search.sysroot.directory ?: "", debuginfo->search.root};
	g_autoptr(GString) path = g_string_new(NULL);
	Dwarf *shared = NULL;

	if (!name || start >= link.size || dwarf_getalt(own))
		return;
	g_string_printf(path, "/usr/lib/debug/.build-id/%02x/", link.data[start]);
	for (size_t i = start + 1; i < link.size; i++)
		g_string_append_printf(path, "%02x", link.data[i]);
	g_string_append(path, ".debug");
	for (size_t i = 0; i < G_N_ELEMENTS(roots) && !shared; i++) {
		g_autofree char *file = g_strconcat(roots[i], path->str, NULL);

		shared = open_file(parts, file);
	}
	if (shared)
		dwarf_setalt(own, shared);
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
			add_file(parts, dwarf_cu_getdwarf(split.cu), &die);
		else
			parts->missing++;
	}
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Add the type units that split_open() unpacked from a package, sorted by name so that offsets are reproducible. */
static void add_types(struct parts *parts, const char *directory)
{
	g_autofree char *types = g_build_filename(directory, SPLIT_TYPES, NULL);
	g_autoptr(GDir) files = g_dir_open(types, 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (files && (name = g_dir_read_name(files)))
		g_ptr_array_add(names, g_build_filename(types, name, NULL));
	g_ptr_array_sort(names, compare_names);
	for (guint i = 0; i < names->len; i++) {
		struct dwarf_part part = {.dwarf = open_file(parts, names->pdata[i])};

		if (!part.dwarf)
			continue;
		part.size = dwarf_find_type_sections(part.dwarf).info.size;
		part.are_types = part.size > 0;
		if (!part.are_types)
			part.size = dwarf_find_sections(part.dwarf).info.size;
		add_part(parts, &part);
	}
}

/*
 * Collect the parts. Relocatable files, the kernel and its modules have only one. @p directory has files of type units,
 * or is NULL.
 */
static struct parts *find_parts(struct debuginfo *debuginfo, const char *directory)
{
	struct parts *parts = g_new0(struct parts, 1);
	Dwarf *own = debuginfo->dwarf, *shared;

	parts->all = g_array_new(FALSE, FALSE, sizeof(struct dwarf_part));
	parts->opened = g_array_new(FALSE, FALSE, sizeof(struct opened));
	add_file(parts, own, NULL);
	if (!debuginfo->object)
		return parts;
	open_shared(debuginfo, parts, own);
	shared = dwarf_getalt(own);
	if (shared)
		add_file(parts, shared, NULL);
	add_split_units(parts, own);
	if (directory)
		add_types(parts, directory);
	/* The files that libdw searched for cannot be recorded as facts. */
	if (parts->all->len > 1 || parts->missing || elf_section_span(dwarf_getelf(own), ALTERNATE_LINK).size)
		file_facts_give_up(debuginfo->search.facts);
	return parts;
}

static struct parts *parts_of(struct debuginfo *debuginfo)
{
	if (!debuginfo->parts)
		debuginfo->parts = find_parts(debuginfo, NULL);
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
			return dwarf_section_die(part->dwarf, part->are_types, offset - part->base, ret);
	}
	return false;
}

/* Is the DIE in .debug_types? Before DWARF 5, type units are there. */
static bool is_among_types(Dwarf_Die *die)
{
	Dwarf_Half version;
	uint8_t type;

	return dwarf_cu_info(die->cu, &version, &type, NULL, NULL, NULL, NULL, NULL) == 0 && version < 5 &&
	       (type == DW_UT_type || type == DW_UT_split_type);
}

uint64_t dwarf_offset_of(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	const GArray *all = dwarf_parts(debuginfo);
	bool is_type = is_among_types(die);

	for (guint i = 0; i < all->len; i++) {
		const struct dwarf_part *part = &g_array_index(all, struct dwarf_part, i);

		if (part->dwarf == dwarf && part->are_types == is_type)
			return part->base + dwarf_dieoffset(die);
	}
	return dwarf_dieoffset(die);
}

void parts_open_split(struct debuginfo *debuginfo)
{
	g_autofree char *directory = NULL;
	Dwarf *other;
	int fd;

	if (!debuginfo->object)
		return;
	other = split_open(debuginfo, debuginfo->dwarf, &directory, &fd);
	if (other) {
		dwarf_end(debuginfo->dwarf);
		debuginfo->dwarf = other;
		debuginfo->split_fd = fd;
		debuginfo->parts =
			find_parts(debuginfo, directory); /* opens all files before the directory is removed */
	} else if (fd >= 0) {
		close(fd);
	}
	if (directory)
		remove_tree(directory);
}

static GHashTable *list_types(const GArray *all)
{
	GHashTable *types = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);

	for (guint i = 0; i < all->len; i++) {
		const struct dwarf_part *part = &g_array_index(all, struct dwarf_part, i);
		Dwarf_CU *unit = NULL;
		Dwarf_Die die;
		uint64_t signature;

		while (dwarf_get_units(part->dwarf, unit, &unit, NULL, NULL, NULL, &die) == 0) {
			if (!die.addr || dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &signature, NULL, NULL) != 0)
				continue;
			g_hash_table_insert(types, g_memdup2(&signature, sizeof(signature)),
					    g_memdup2(&die, sizeof(die)));
		}
	}
	return types;
}

bool parts_find_type(struct debuginfo *debuginfo, uint64_t signature, Dwarf_Die *ret)
{
	struct parts *parts = parts_of(debuginfo);
	const Dwarf_Die *die;

	if (!parts->types)
		parts->types = list_types(parts->all);
	die = g_hash_table_lookup(parts->types, &signature);
	if (die)
		*ret = *die;
	return die != NULL;
}

void parts_close(struct debuginfo *debuginfo)
{
	struct parts *parts = debuginfo->parts;

	if (debuginfo->split_fd > 0)
		close(debuginfo->split_fd);
	if (!parts)
		return;
	for (guint i = 0; i < parts->opened->len; i++) {
		const struct opened *opened = &g_array_index(parts->opened, struct opened, i);

		dwarf_end(opened->dwarf);
		close(opened->fd);
	}
	g_array_unref(parts->opened);
	g_array_unref(parts->all);
	if (parts->types)
		g_hash_table_unref(parts->types);
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
			  _("cannot use the debuginfo in %s: dwz has moved parts of it to %s, which was not found"),
			  debuginfo->debug.path, name);
	return error_with_hint(error, _("install all packages of its debug symbols"));
}
