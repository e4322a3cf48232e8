/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of one object: all functions, inlined instances, types, file-level variables and symbols by name. It is
 * built once from the debuginfo (build.c), cached on disk (file.c), and answers queries for functions and symbols
 * without the DWARF.
 */
#ifndef SPILE_DEBUGINFO_INDEX_INDEX_H
#define SPILE_DEBUGINFO_INDEX_INDEX_H

#include "translator/debuginfo/kernel/code.h"
#include "translator/debuginfo/object/dwarf.h"

/* Marks the absence of a record. */
#define NO_RECORD UINT32_MAX

enum index_flags {
	INDEX_INLINED = 1,
	INDEX_EXTERNAL = 2,
	INDEX_EXPORTED = 4,
	INDEX_INIT = 8,
	INDEX_NOT_PROBEABLE = 16,
	INDEX_FENTRY = 32,
};

/* Sorted by name, section, entry. Names are offsets in the string table; files, sections and containers are numbers. */
struct index_function {
	uint64_t entry;
	uint32_t name;
	uint32_t die;
	uint32_t file;
	uint32_t line;
	uint32_t size;
	uint32_t container; /* number of the real function around an inlined instance; else NO_RECORD */
	uint32_t symbol; /* string, 0: none */
	uint16_t section;
	uint8_t flags;
	uint8_t lead : 3; /* distance of the entry from the start, in units of INDEX_LEAD_STEP */
	uint8_t fentry : 5; /* distance from the start */
};

enum { INDEX_LEAD_STEP = 4, INDEX_MOST_LEAD = 12 };

struct index_type { /* sorted by name, then tag */
	uint32_t name;
	uint32_t tag;
	uint64_t die;
};

struct index_variable { /* sorted by name, flags, DIE, so that definitions precede declarations */
	uint32_t name;
	uint32_t file;
	uint32_t die;
	uint32_t flags;
};

enum index_variable_flags { VARIABLE_EXTERNAL = 1, VARIABLE_DECLARATION = 2 };

struct index_symbol { /* sorted by name, the preferred one first */
	uint32_t name;
	uint32_t section;
	uint64_t value;
};

/* Pointers to the tables, in the mapped file or in memory just built. */
struct index {
	const struct index_function *functions;
	const struct index_type *types;
	const struct index_variable *variables;
	const struct index_symbol *symbols;
	const struct code_range *reserved;
	const uint32_t *files; /* strings */
	const uint32_t *scopes; /* strings, one per function; empty if no function is in a scope */
	const char *strings;
	uint64_t function_count, type_count, variable_count, symbol_count, reserved_count, file_count, scope_count,
		string_size;
	void *memory; /* header and tables */
	size_t memory_size;
	bool is_mapped;
};

/** Return the index; load it from the cache or build it on first use. */
struct error *debuginfo_index(struct debuginfo *debuginfo, struct index **ret);
const char *index_string(const struct index *index, uint32_t offset);
const char *index_file_name(const struct index *index, uint32_t number);
/** Return the first number in functions/types/variables/symbols whose name is not less than @p name. */
uint64_t index_find_function(const struct index *index, const char *name);
uint64_t index_find_type(const struct index *index, const char *name);
uint64_t index_find_variable(const struct index *index, const char *name);
uint64_t index_find_symbol(const struct index *index, const char *name);

/** Copy tables into one block of memory. The caller keeps the arrays. */
struct index *index_assemble(const char *build_id, const GArray *functions, const GArray *types,
			     const GArray *variables, const GArray *symbols, const GArray *reserved,
			     const GArray *files, const GArray *scopes, const GByteArray *strings);
/*
 * The key is the build-id, with a suffix if the index was not built from DWARF. The file records the key it was
 * assembled with.
 */
struct index *index_load(const char *directory, const char *key, const char *assembled_key);
void index_save(const struct index *index, const char *directory, const char *key);
void index_free(struct index *index);
/** Copy the index in order to change it; call index_seal() afterwards. */
struct index *index_copy(const struct index *index);
void index_seal(struct index *index);
/** Make an index from memory of g_malloc() and take it over; NULL if it is malformed. */
struct index *index_of_memory(void *memory, size_t size, const char *key);

/* ---- functions.c ---- */

const struct function *function_get(struct debuginfo *debuginfo, uint32_t number);
/** Return the real function whose main range covers an address; NULL if none does. The index must be loaded. */
const struct function *function_at(struct debuginfo *debuginfo, struct address address);
bool function_die(const struct function *function, Dwarf_Die *ret);

/* ---- mangled.c ---- */

/** Does it look like a symbol of C++ or Rust? */
bool is_mangled(const char *symbol);
/**
 * Split the symbol of a C++ or Rust function into scope and name: "geometry::Shape::" and "area". Return false for
 * other symbols.
 */
bool index_read_mangled(struct arena *arena, const char *symbol, const char **scope, const char **name);

/* ---- scopes.c ---- */

/** Find the last "::" of a name or pattern outside of brackets, or NULL. */
const char *find_scope_end(const char *name);

/**
 * Append the names (const char *) that consist of a scope and @p name, for a name that was not found. They are searched
 * in a sorted table of the index. @p first is the field of the table's first element with the offset of its name.
 */
void index_scoped_names(const struct index *index, const void *first, uint64_t count, size_t size, const char *name,
			GPtrArray *ret);
/** Return the error for a name that exists in several scopes. */
struct error *scoped_names_error(const struct debuginfo *debuginfo, const char *name, const GPtrArray *names);

#endif
