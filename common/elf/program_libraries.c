// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the libraries of a program as its dynamic loader does (ld.so(8)), without running anything: in the
 * directories that the program and each library name (DT_RPATH, DT_RUNPATH, with $ORIGIN), by /etc/ld.so.cache, and in
 * the loader's default directories. LD_LIBRARY_PATH differs by process; it is known only if given by --sysenv.
 */
#include "common/elf/program_libraries.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "common/guest_root.h"
#include "common/base/cleanup.h"
#include "common/elf/elf.h"

#define MOST_LIBRARIES 4096

#define CACHE_FILE "/etc/ld.so.cache"
#define CACHE_MAGIC "glibc-ld.so.cache1.1"
#define CACHE_HEADER_SIZE 48

/*
 * The search path of each machine's dynamic loader. The flags of a cache entry (sysdeps/generic/ldconfig.h of glibc)
 * are the libc and the machine.
 */
static const struct loader {
	uint16_t machine;
	unsigned int cache_flags;
	const char *platform, *library_directory; /* $PLATFORM, $LIB */
	const char *directories;
} loaders[] = {
	{EM_X86_64, 0x0303, "x86_64", "lib/x86_64-linux-gnu",
	 "/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib"},
	{EM_386, 0x0003, "i686", "lib/i386-linux-gnu",
	 "/lib/i386-linux-gnu:/usr/lib/i386-linux-gnu:/lib32:/usr/lib32:/lib:/usr/lib"},
	{EM_AARCH64, 0x0a03, "aarch64", "lib/aarch64-linux-gnu",
	 "/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib"},
};

/* An object that was found and may need others. */
struct loaded {
	struct library names; /* the directory of names.path is $ORIGIN */
	const struct loaded *loader; /* object that needs it */
	GPtrArray *needed; /* const char *, names */
	const char *rpath, *runpath;
};

struct search {
	const struct library_search *given;
	const struct loader *loader; /* of the program's machine */
	bool is_musl;
	char *cache;
	gsize cache_size;
	GHashTable *names; /* names searched so far */
	GHashTable *paths; /* paths found so far */
	GPtrArray *queue; /* struct loaded * */
};

/* ---- reading an object ---- */

static bool fits(const struct search *search, Elf *elf)
{
	GElf_Ehdr header;

	return elf && gelf_getehdr(elf, &header) && header.e_type == ET_DYN &&
	       header.e_machine == search->loader->machine;
}

/* Return the loader of a machine. For an unknown one, return a loader that accepts no library. */
static const struct loader *loader_of_machine(uint16_t machine)
{
	static const struct loader unknown = {
		.machine = EM_NONE, .platform = "", .library_directory = "lib", .directories = ""};

	for (size_t i = 0; i < G_N_ELEMENTS(loaders); i++)
		if (loaders[i].machine == machine)
			return &loaders[i];
	return &unknown;
}

static const struct loader *loader_of(Elf *elf)
{
	GElf_Ehdr header;

	return loader_of_machine(gelf_getehdr(elf, &header) ? header.e_machine : EM_NONE);
}

static struct loaded *read_dynamic(struct search *search, Elf *elf, const char *found, const char *path,
				   const struct loaded *loader)
{
	struct loaded *loaded = arena_new0(search->given->arena, struct loaded);
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, ".dynamic", &header);
	Elf_Data *data = section && header.sh_type == SHT_DYNAMIC ? elf_getdata(section, NULL) : NULL;
	GElf_Dyn entry;

	*loaded = (struct loaded){
		.names = {arena_strdup(search->given->arena, found), arena_strdup(search->given->arena, path)},
		.loader = loader,
		.needed = arena_ptr_array(search->given->arena),
	};
	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *text = entry.d_tag == DT_NEEDED || entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH
					   ? elf_strptr(elf, header.sh_link, entry.d_un.d_val)
					   : NULL;

		text = text ? arena_strdup(search->given->arena, text) : NULL;
		if (text && entry.d_tag == DT_NEEDED)
			g_ptr_array_add(loaded->needed, (gpointer)text);
		else if (text && entry.d_tag == DT_RPATH)
			loaded->rpath = text;
		else if (text)
			loaded->runpath = text;
	}
	return loaded;
}

/*
 * Add the file (a path on the target machine) to the queue, unless it is there already. Return whether it is a library
 * for the right machine.
 */
static bool load(struct search *search, const char *file, const struct loaded *loader)
{
	g_autofree char *path = sysroot_resolve(search->given->sysroot, file);
	_cleanup_close_ int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool is_library = fits(search, elf);

	file_facts_note(search->given->facts, file);

	if (is_library && !g_hash_table_contains(search->paths, path)) {
		struct loaded *loaded = read_dynamic(search, elf, file, path, loader);

		loaded->names.real = sysroot_inside(search->given->sysroot, loaded->names.path);
		g_hash_table_add(search->paths, (gpointer)loaded->names.path);
		g_ptr_array_add(search->queue, loaded);
	}
	elf_end(elf);
	return is_library;
}

/* ---- where they are ---- */

/* Expand $ORIGIN, $LIB and $PLATFORM in a path of the object. */
static char *expand(const struct search *search, const char *directory, const struct loaded *object)
{
	g_autofree char *origin = g_path_get_dirname(sysroot_inside(search->given->sysroot, object->names.path));
	const char *const values[][2] = {
		{"ORIGIN", origin}, {"LIB", search->loader->library_directory}, {"PLATFORM", search->loader->platform}};
	GString *text = g_string_new(NULL);

	while (*directory) {
		bool has_brace = directory[0] == '$' && directory[1] == '{';
		const char *name = directory + 1 + has_brace;
		size_t i = 0;

		while (*directory == '$' && i < G_N_ELEMENTS(values) && !g_str_has_prefix(name, values[i][0]))
			i++;
		if (*directory != '$' || i == G_N_ELEMENTS(values)) {
			g_string_append_c(text, *directory++);
			continue;
		}
		g_string_append(text, values[i][1]);
		directory = name + strlen(values[i][0]) + has_brace;
	}
	return g_string_free(text, FALSE);
}

static bool load_from_directories(struct search *search, const char *directories, const struct loaded *whose,
				  const char *name, const struct loaded *loader)
{
	g_auto(GStrv) list = directories ? g_strsplit(directories, ":", -1) : NULL;

	for (char **directory = list; directory && *directory; directory++) {
		g_autofree char *expanded = expand(search, *directory, whose);
		g_autofree char *path = g_build_filename(expanded[0] ? expanded : ".", name, NULL);

		if (load(search, path, loader))
			return true;
	}
	return false;
}

/* Find a library in the cache by linear search; it has a few thousand names, sorted in a special order. */
static bool load_from_cache(struct search *search, const char *name, const struct loaded *loader)
{
	struct span cache = {(const uint8_t *)search->cache, search->cache_size};
	const uint8_t *start = cache.size ? memmem(cache.data, cache.size, CACHE_MAGIC, strlen(CACHE_MAGIC)) : NULL;
	struct reader reader;
	uint64_t count;

	if (!start)
		return false;
	cache = (struct span){start, cache.size - (size_t)(start - cache.data)};
	reader = (struct reader){cache.data, cache.data + cache.size, false};
	read_skip(&reader, strlen(CACHE_MAGIC));
	count = read_unsigned(&reader, 4);
	read_skip(&reader, CACHE_HEADER_SIZE - strlen(CACHE_MAGIC) - 4);
	for (uint64_t i = 0; i < count && !reader.bad; i++) {
		uint64_t flags = read_unsigned(&reader, 4), key = read_unsigned(&reader, 4);
		uint64_t value = read_unsigned(&reader, 4), capabilities;
		const char *found = span_string(cache, key), *path = span_string(cache, value);

		read_skip(&reader, 4);
		capabilities = read_unsigned(&reader, 8);
		/* Skip variants for special processors: the loader chooses them by the CPU's features. */
		if (flags == search->loader->cache_flags && !capabilities && found && path && strcmp(found, name) == 0)
			return load(search, path, loader);
	}
	return false;
}

static const char *own_directories(const struct search *search)
{
	return search->is_musl ? "/lib:/usr/local/lib:/usr/lib" : search->loader->directories;
}

/*
 * Find a library by name, or by path if it contains a '/'. DT_RPATH also applies to the libraries' own dependencies,
 * but is ignored if there is a DT_RUNPATH.
 */
static void find_library(struct search *search, const char *name, const struct loaded *loader)
{
	if (strchr(name, '/')) {
		g_autofree char *path = expand(search, name, loader);

		load(search, path, loader);
		return;
	}
	for (const struct loaded *object = loader; object && !loader->runpath; object = object->loader)
		if (!object->runpath && load_from_directories(search, object->rpath, object, name, loader))
			return;
	if (load_from_directories(search, search->given->sysroot->library_path, loader, name, loader) ||
	    load_from_directories(search, loader->runpath, loader, name, loader))
		return;
	if (!search->is_musl && load_from_cache(search, name, loader))
		return;
	load_from_directories(search, own_directories(search), loader, name, loader);
}

/* ---- the program ---- */

static void add_interpreter(struct search *search, Elf *elf, const struct loaded *program)
{
	GElf_Shdr header;
	struct span section = elf_section_by_name(elf, ".interp", &header) ? elf_section_span(elf, ".interp")
									   : (struct span){NULL, 0};
	const char *path = span_string(section, 0);

	if (!path)
		return;
	search->is_musl = strstr(path, "ld-musl") != NULL;
	if (!search->is_musl) {
		load(search, path, program);
	} else if (load(search, path, program)) {
		/* The loader of musl is the C library itself. */
		g_hash_table_add(search->names, (gpointer) "libc.so");
	}
}

/* Start a search with the program and its loader. The caller frees it with end_search(). */
static struct search begin_search(const struct library_search *given, Elf *elf, const char *path)
{
	struct search search = {
		.given = given,
		.loader = loader_of(elf),
		.names = g_hash_table_new(g_str_hash, g_str_equal),
		.paths = g_hash_table_new(g_str_hash, g_str_equal),
		.queue = g_ptr_array_new(),
	};
	g_autofree char *cache = sysroot_file(given->sysroot, CACHE_FILE);
	struct loaded *program = read_dynamic(&search, elf, path, path, NULL);

	g_hash_table_add(search.paths, (gpointer)program->names.path);
	g_ptr_array_add(search.queue, program);
	file_facts_note(given->facts, CACHE_FILE);
	g_file_get_contents(cache, &search.cache, &search.cache_size, NULL);
	add_interpreter(&search, elf, program);
	return search;
}

/* Append the objects found, from number @p first on, to @p ret and free the search. */
static void end_search(struct search *search, guint first, GPtrArray *ret)
{
	for (guint i = first; i < search->queue->len; i++)
		g_ptr_array_add(ret, (gpointer) & ((const struct loaded *)search->queue->pdata[i])->names);
	g_hash_table_unref(search->names);
	g_hash_table_unref(search->paths);
	g_ptr_array_unref(search->queue);
	g_free(search->cache);
}

void program_libraries(const struct library_search *given, Elf *elf, const char *path, GPtrArray *ret)
{
	struct search search = begin_search(given, elf, path);

	for (guint i = 0; i < search.queue->len && i < MOST_LIBRARIES; i++) {
		const struct loaded *object = g_ptr_array_index(search.queue, i);

		for_each_ptr(const char *, name, object->needed) {
			if (g_hash_table_add(search.names, (gpointer)name))
				find_library(&search, name, object);
		}
	}
	end_search(&search, 1, ret);
}

void program_find_libraries(const struct library_search *given, Elf *elf, const char *path, const char *const *names,
			    GPtrArray *ret)
{
	struct search search = begin_search(given, elf, path);
	guint first = search.queue->len;

	for (; *names; names++)
		find_library(&search, *names, g_ptr_array_index(search.queue, 0));
	end_search(&search, first, ret);
}

char *library_find(const struct sysroot *sysroot, uint16_t machine, const char *name, struct file_facts *facts)
{
	g_auto(GStrv) directories = g_strsplit(loader_of_machine(machine)->directories, ":", -1);
	struct sysroot alone = *sysroot;

	/* This machine's own libraries of that name are for another machine. */
	alone.also_here = false;
	for (char **directory = directories; *directory; directory++) {
		g_autofree char *path = g_build_filename(*directory, name, NULL);
		g_autofree char *here = sysroot_resolve(&alone, path);

		file_facts_note(facts, path);
		if (here && g_file_test(here, G_FILE_TEST_IS_REGULAR))
			return sysroot_file(sysroot, path);
	}
	return NULL;
}

/* Return the guest root with the libraries of a program; NULL if they are in this machine's root directory. */
static char *guest_root_of(Elf *elf)
{
	GElf_Ehdr header;
	const struct architecture *architecture =
		gelf_getehdr(elf, &header) ? architecture_by_elf(header.e_machine) : NULL;

	return architecture ? guest_root_find(architecture) : NULL;
}

void file_libraries(struct arena *arena, const char *path, GPtrArray *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	g_autofree char *root = elf ? guest_root_of(elf) : NULL;
	const struct sysroot sysroot = {.directory = root, .also_here = true};
	const struct library_search search = {.arena = arena, .sysroot = &sysroot};

	if (elf && elf_kind(elf) == ELF_K_ELF)
		program_libraries(&search, elf, path, ret);
	elf_end(elf);
}
