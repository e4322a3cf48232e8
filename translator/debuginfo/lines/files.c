// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source files: their names in the line tables, and how far the lines of a function reach.
 *
 * The index needs the file names of every unit. libdw returns them only together with the decoded line program, so the
 * header of the table is parsed here (DWARF 5, section 6.2.4). Names are normalized to the form that users write:
 * relative to the kernel's source directory, wherever the packager built it. Debian's C units have this form already
 * ("fs/read_write.c", by -fmacro-prefix-map); its assembler units and other builds have absolute paths. Paths in
 * programs stay absolute.
 */
#include "translator/debuginfo/lines/lines.h"

#include <fnmatch.h>
#include <string.h>

struct file_names {
	bool are_whole;
	GMutex lock;
	GHashTable *names; /* char * -> itself */
};

struct file_names *file_names_new(bool are_whole)
{
	struct file_names *names = g_new0(struct file_names, 1);

	names->are_whole = are_whole;
	g_mutex_init(&names->lock);
	names->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return names;
}

void file_names_free(struct file_names *names)
{
	g_hash_table_unref(names->names);
	g_mutex_clear(&names->lock);
	g_free(names);
}

/* Return the interned copy of a name; takes over @p name. */
static const char *shared_name(struct file_names *names, char *name)
{
	const char *found;

	g_mutex_lock(&names->lock);
	found = g_hash_table_lookup(names->names, name);
	if (found) {
		g_free(name);
	} else {
		g_hash_table_add(names->names, name);
		found = name;
	}
	g_mutex_unlock(&names->lock);
	return found;
}

/* Return the length of the common leading directories, if they are at least two levels; "/usr" alone means nothing. */
static size_t common_directories(const char *path, const char *directory)
{
	size_t length = 0, levels = 0;

	for (size_t i = 0; path[i]; i++) {
		bool directory_ends = directory[i] == '/' || !directory[i];

		if (path[i] == '/' && directory_ends && i) {
			length = i + 1;
			levels++;
		}
		if (path[i] != directory[i])
			break;
	}
	return levels >= 2 ? length : 0;
}

/*
 * Remove the prefix of Debian's flavors with own patches, which are built in a copy of the sources:
 * debian/build/source_rt/fs/open.c
 */
static const char *in_source_copy(const char *path)
{
	static const char prefix[] = "debian/build/source_";
	const char *rest = g_str_has_prefix(path, prefix) ? strchr(path + strlen(prefix), '/') : NULL;

	return rest ? rest + 1 : path;
}

char *file_normalise(const char *path, const char *comp_dir)
{
	g_autofree char *clean = g_canonicalize_filename(path, "/");
	size_t cut;

	if (path[0] != '/')
		return g_strdup(in_source_copy(clean + 1));
	cut = comp_dir && comp_dir[0] == '/' ? common_directories(clean, comp_dir) : 0;
	return g_strdup(clean + cut);
}

static char *join(const char *directory, const char *file, const char *comp_dir)
{
	g_autofree char *path = NULL;

	if (!file)
		return g_strdup("");
	/* Directory 0 is the build directory itself (6.2.4); relative names in it need no prefix. */
	if (file[0] == '/' || !directory || !directory[0] || g_strcmp0(directory, comp_dir) == 0)
		return file_normalise(file, comp_dir);
	path = g_build_filename(directory, file, NULL);
	return file_normalise(path, comp_dir);
}

/* Join the parts to an absolute path, if the build directory is absolute. */
static char *join_whole(const char *directory, const char *file, const char *comp_dir)
{
	const char *parts[] = {comp_dir, directory, file};
	g_autofree char *path = g_strdup("");

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *before = NULL;

		if (!parts[i])
			continue;
		before = path;
		path = parts[i][0] == '/' || !before[0] ? g_strdup(parts[i]) : g_build_filename(before, parts[i], NULL);
	}
	return file && file[0] ? file_normalise(path, "") : g_strdup("");
}

struct entry_format {
	uint64_t content, form;
};

struct line_entry {
	const char *path;
	uint64_t directory;
};

static const char *line_string(const struct dwarf_sections *sections, struct reader *reader, uint64_t form,
			       unsigned int offset_size)
{
	if (form == DW_FORM_string)
		return read_string(reader);
	if (form == DW_FORM_line_strp)
		return span_string(sections->line_str, read_unsigned(reader, offset_size));
	if (form == DW_FORM_strp)
		return span_string(sections->str, read_unsigned(reader, offset_size));
	reader->bad = true;
	return NULL;
}

static uint64_t line_number(struct reader *reader, uint64_t form)
{
	switch (form) {
	case DW_FORM_udata:
		return read_uleb(reader);
	case DW_FORM_data1:
		return read_unsigned(reader, 1);
	case DW_FORM_data2:
		return read_unsigned(reader, 2);
	case DW_FORM_data4:
		return read_unsigned(reader, 4);
	case DW_FORM_data8:
		return read_unsigned(reader, 8);
	case DW_FORM_data16: /* DW_LNCT_MD5 */
		read_skip(reader, 16);
		return 0;
	case DW_FORM_block:
		read_skip(reader, read_uleb(reader));
		return 0;
	default:
		reader->bad = true;
		return 0;
	}
}

/* Read a table of directories or files in DWARF 5: formats, count, entries. */
static GArray *read_entries(const struct dwarf_sections *sections, struct reader *reader, unsigned int offset_size)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct line_entry));
	struct entry_format formats[256];
	unsigned int format_count = (unsigned int)read_unsigned(reader, 1);
	uint64_t count;

	for (unsigned int i = 0; i < format_count; i++) {
		formats[i].content = read_uleb(reader);
		formats[i].form = read_uleb(reader);
	}
	count = read_uleb(reader);
	/* A table without formats would consume no bytes, and loop over a malformed count. */
	for (uint64_t n = 0; n < count && format_count && !reader->bad; n++) {
		struct line_entry entry = {NULL, 0};

		for (unsigned int i = 0; i < format_count && !reader->bad; i++) {
			if (formats[i].content == DW_LNCT_path)
				entry.path = line_string(sections, reader, formats[i].form, offset_size);
			else if (formats[i].content == DW_LNCT_directory_index)
				entry.directory = line_number(reader, formats[i].form);
			else
				line_number(reader, formats[i].form);
		}
		if (!reader->bad)
			g_array_append_val(entries, entry);
	}
	return entries;
}

/*
 * Read such a table in DWARF 2 to 4: strings up to an empty one; files have directory, time and length. Both tables
 * count from 1.
 */
static GArray *read_old_entries(struct reader *reader, const char *first, bool are_files)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct line_entry));
	struct line_entry entry = {first, 0};

	g_array_append_val(entries, entry);
	while (!reader->bad) {
		entry.path = read_string(reader);
		if (!entry.path[0])
			break;
		if (are_files) {
			entry.directory = read_uleb(reader);
			read_uleb(reader);
			read_uleb(reader);
		}
		g_array_append_val(entries, entry);
	}
	return entries;
}

/*
 * Position @p reader at the tables of directories and files. Return the version, 0 if the header is malformed. Set the
 * size of offsets, which may differ from that of the unit: the assembler writes the table.
 */
static unsigned int read_line_header(struct reader *reader, uint64_t line_offset, unsigned int *offset_size)
{
	unsigned int version, opcode_base;

	read_skip(reader, line_offset);
	*offset_size = 4;
	if (read_unsigned(reader, 4) == UINT32_MAX) {
		*offset_size = 8;
		read_skip(reader, 8);
	}
	version = (unsigned int)read_unsigned(reader, 2);
	if (version >= 5)
		read_skip(reader, 2); /* address_size, segment_selector_size */
	read_skip(reader, *offset_size); /* header_length */
	read_skip(reader, version >= 4 ? 5 : 4); /* instruction lengths, default_is_stmt, line_base, line_range */
	opcode_base = (unsigned int)read_unsigned(reader, 1);
	if (opcode_base > 1)
		read_skip(reader, opcode_base - 1);
	return reader->bad || version < 2 || version > 5 ? 0 : version;
}

GPtrArray *line_files(const struct dwarf_sections *sections, struct file_names *names, uint64_t line_offset,
		      const char *comp_dir, const char *unit_name)
{
	struct reader reader = {sections->line.data, sections->line.data + sections->line.size, false};
	GPtrArray *files = g_ptr_array_new();
	unsigned int offset_size, version = read_line_header(&reader, line_offset, &offset_size);
	g_autoptr(GArray) directories = NULL;
	g_autoptr(GArray) entries = NULL;

	if (version >= 5) {
		directories = read_entries(sections, &reader, offset_size);
		entries = read_entries(sections, &reader, offset_size);
	} else if (version) {
		directories = read_old_entries(&reader, comp_dir, false);
		entries = read_old_entries(&reader, unit_name, true);
	}
	for (guint i = 0; entries && i < entries->len; i++) {
		struct line_entry *entry = &g_array_index(entries, struct line_entry, i);
		const char *directory = entry->directory < directories->len
						? g_array_index(directories, struct line_entry, entry->directory).path
						: NULL;

		g_ptr_array_add(files, (char *)shared_name(names, names->are_whole
									  ? join_whole(directory, entry->path, comp_dir)
									  : join(directory, entry->path, comp_dir)));
	}
	return files;
}

bool file_matches(const char *path, const char *pattern)
{
	const char *tail = path;

	while (tail) {
		/* "*" also matches '/': users expect "fs/[a-z]*.c" to match files in fs/ext4/. */
		if (fnmatch(pattern, tail, 0) == 0)
			return true;
		tail = strchr(tail, '/');
		if (tail)
			tail++;
	}
	return false;
}

char *line_file_name(const struct debuginfo *debuginfo, Dwarf_Die *unit, const char *source)
{
	Dwarf_Attribute attribute;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));

	return debuginfo->object ? join_whole(NULL, source, directory) : file_normalise(source, directory ?: "");
}

/* Is a row of the line table in [start, end), in the file, and not before the line? */
static bool row_reaches(const struct debuginfo *debuginfo, Dwarf_Die *unit, Dwarf_Line *row, uint64_t start,
			uint64_t end, const char *path, int line)
{
	g_autofree char *name = NULL;
	Dwarf_Addr address;
	const char *source;
	int number;

	if (dwarf_lineaddr(row, &address) != 0 || address < start || address >= end ||
	    dwarf_lineno(row, &number) != 0 || number < line)
		return false;
	source = dwarf_linesrc(row, NULL, NULL);
	if (!source)
		return false;
	name = line_file_name(debuginfo, unit, source);
	return file_matches(name, path);
}

bool line_is_reached(struct debuginfo *debuginfo, uint64_t die, uint64_t start, uint64_t size, const char *path,
		     int line)
{
	Dwarf_Die some_die, unit;
	Dwarf_Lines *lines;
	Dwarf *dwarf;
	size_t count;
	_cleanup_error_ struct error *error = debuginfo_dwarf(debuginfo, &dwarf);

	if (error)
		return false;
	debuginfo_provide(debuginfo, ".debug_line");
	if (!dwarf_die_at(debuginfo, die, &some_die) || !dwarf_diecu(&some_die, &unit, NULL, NULL) ||
	    dwarf_getsrclines(&unit, &lines, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (row_reaches(debuginfo, &unit, dwarf_onesrcline(lines, i), start, start + size, path, line))
			return true;
	return false;
}
