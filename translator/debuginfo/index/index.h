/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index: all functions, inlined instances, types, file-level variables and symbols of one object by name, made of
 * its debuginfo once (build.c) and kept on disk (file.c); and the queries for functions and symbols that it answers
 * alone.
 */
#ifndef SPILE_DEBUGINFO_INDEX_INDEX_H
#define SPILE_DEBUGINFO_INDEX_INDEX_H

#include "translator/debuginfo/kernel/code.h"
#include "translator/debuginfo/object/dwarf.h"

/* No number of a record. */
#define NO_RECORD UINT32_MAX

enum index_flags {
	INDEX_INLINED = 1,
	INDEX_EXTERNAL = 2,
	INDEX_EXPORTED = 4,
	INDEX_INIT = 8,
	INDEX_NOT_PROBEABLE = 16,
	INDEX_FENTRY = 32,
};

/* Sorted by name, section, entry. Numbers not strings stand for files, sections and containers. */
struct index_function {
	uint64_t entry;
	uint32_t name;
	uint32_t die;
	uint32_t file;
	uint32_t line;
	uint32_t size;
	uint32_t container; /* number of the real function, NO_RECORD if this is one */
	uint32_t symbol; /* string, 0: none */
	uint16_t section;
	uint8_t flags;
	uint8_t fentry; /* distance from the entry */
};

struct index_type { /* sorted by name, then tag */
	uint32_t name;
	uint32_t tag;
	uint64_t die;
};

struct index_variable { /* sorted by name, then flags, then DIE: declarations stand behind definitions */
	uint32_t name;
	uint32_t file;
	uint32_t die;
	uint32_t flags;
};

enum index_variable_flags { VARIABLE_EXTERNAL = 1, VARIABLE_DECLARATION = 2 };

struct index_symbol { /* sorted by name, the one to prefer first */
	uint32_t name;
	uint32_t section;
	uint64_t value;
};

/* Where the tables are; points into the mapped file or into memory just built. */
struct index {
	const struct index_function *functions;
	const struct index_type *types;
	const struct index_variable *variables;
	const struct index_symbol *symbols;
	const struct code_range *reserved;
	const uint32_t *files; /* strings */
	const uint32_t *scopes; /* strings, one for each function; none at all if no function is in a scope */
	const char *strings;
	uint64_t function_count, type_count, variable_count, symbol_count, reserved_count, file_count, scope_count,
		string_size;
	void *memory; /* header and tables */
	size_t memory_size;
	bool is_mapped;
};

/** The index, loaded or built. */
struct error *debuginfo_index(struct debuginfo *debuginfo, struct index **ret);
/** Is it there, or in the cache, or will debuginfo_index() have to make it? */
bool debuginfo_has_index(struct debuginfo *debuginfo);
const char *index_string(const struct index *index, uint32_t offset);
const char *index_file_name(const struct index *index, uint32_t number);
/** First number in functions/types/variables/symbols whose name is not less than @p name. */
uint64_t index_find_function(const struct index *index, const char *name);
uint64_t index_find_type(const struct index *index, const char *name);
uint64_t index_find_variable(const struct index *index, const char *name);
uint64_t index_find_symbol(const struct index *index, const char *name);

/** Put tables together into one image. Takes the arrays' contents, not the arrays. */
struct index *index_assemble(const char *build_id, const GArray *functions, const GArray *types,
			     const GArray *variables, const GArray *symbols, const GArray *reserved,
			     const GArray *files, const GArray *scopes, const GByteArray *strings);
/*
 * The key is the build-id, with a suffix if the index is not that of the DWARF; in it stands the key it was assembled
 * by.
 */
struct index *index_load(const char *folder, const char *key, const char *assembled_key);
void index_save(const struct index *index, const char *folder, const char *key);
void index_free(struct index *index);
/** A copy to be changed, to be sealed afterwards. */
struct index *index_copy(const struct index *index);
void index_seal(struct index *index);
/** An index in memory made by g_malloc(), which it takes; NULL if it is malformed. */
struct index *index_of_memory(void *memory, size_t size, const char *key);

/* ---- functions.c ---- */

const struct function *function_get(struct debuginfo *debuginfo, uint32_t number);
/** The real function whose main range is around an address; NULL: there is none. The index must be there. */
const struct function *function_at(struct debuginfo *debuginfo, struct address address);
bool function_die(const struct function *function, Dwarf_Die *ret);

/* ---- mangled.c ---- */

/** Does it look like a symbol of C++ or Rust? */
bool is_mangled(const char *symbol);
/** A function's symbol, as "geometry::Shape::" and "area". False: it is none of C++ or Rust. */
bool index_read_mangled(struct arena *arena, const char *symbol, const char **scope, const char **name);

/* ---- scopes.c ---- */

/** The last "::" of a name or pattern that is in no brackets, or NULL. */
const char *find_scope_end(const char *name);

/**
 * For a name that nothing has: the names (const char *) in a sorted table of the index that are it with "scope::"
 * before it. @p first is the first element's field with the offset of its name.
 */
void index_scoped_names(const struct index *index, const void *first, uint64_t count, size_t size, const char *name,
			GPtrArray *ret);
/** The error for several of them. */
struct error *scoped_names_error(const struct debuginfo *debuginfo, const char *name, const GPtrArray *names);

#endif
