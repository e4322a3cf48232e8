// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints of the kernel or of a module, with their prototypes.
 *
 * For each tracepoint NAME, the macros of include/linux/tracepoint.h define a variable __tracepoint_NAME and a function
 * __traceiter_NAME(void *__data, arguments…). The function's DWARF has the names and types of the arguments as in
 * TP_PROTO.
 *
 * The event's system ("sched") is a string reached through event_NAME (struct trace_event_call) and its class. In a
 * module these pointers are not relocated, and its debug file lacks the data. But the string has a symbol, such as
 * str__xfs__trace_system_name, in the symbol table among those of the same source file as the events.
 *
 * A tracepoint without an event belongs to no system; it gets the name of the header that declares it
 * (include/trace/events/sched.h) or of its module.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/sources/sources.h"

#include <string.h>

#define ITERATOR "__traceiter_"
#define EVENT "event_"
#define SYSTEM_PREFIX "str__"
#define SYSTEM_SUFFIX "__trace_system_name"

static const char *image_string(const struct debuginfo *debuginfo, uint64_t address)
{
	enum { LONGEST = 64 };
	const char *text = (const char *)image_bytes(debuginfo, address, address + LONGEST).data;

	return text && *text && strnlen(text, LONGEST) < LONGEST ? text : NULL;
}

/* Find the offset of a member in a struct of the kernel. Return false if not found. */
static bool member_offset(struct debuginfo *debuginfo, const char *structure, const char *name, uint64_t *ret)
{
	struct member member;
	struct type *type;
	struct error *error;

	error = debuginfo_find_type(debuginfo, structure, &type);
	error = error ? error : debuginfo_find_member(type, name, &member);
	if (error) {
		error_free(error);
		return false;
	}
	*ret = member.offset;
	return true;
}

/* The way from an event to the name of its system: offsets in the kernel, or a table in a module. */
struct event_layout {
	bool known;
	uint64_t class, system;
	GHashTable *systems; /* of a module: symbol of an event -> system */
};

/* Return the system that a symbol names; NULL for other symbols. */
static const char *named_system(struct debuginfo *debuginfo, const char *symbol)
{
	size_t length = strlen(symbol), around = strlen(SYSTEM_PREFIX) + strlen(SYSTEM_SUFFIX);

	if (length <= around || !g_str_has_prefix(symbol, SYSTEM_PREFIX) || !g_str_has_suffix(symbol, SYSTEM_SUFFIX))
		return NULL;
	return arena_strndup(debuginfo->arena, symbol + strlen(SYSTEM_PREFIX), length - around);
}

/* The events and the system among the symbols of one source file. */
struct source_symbols {
	GPtrArray *events;
	const char *system;
	bool is_ambiguous; /* several systems, so the system of each event is unknown */
};

static void end_of_source(struct source_symbols *source, GHashTable *systems)
{
	for (guint i = 0; source->system && !source->is_ambiguous && i < source->events->len; i++)
		g_hash_table_insert(systems, source->events->pdata[i], (void *)source->system);
	g_ptr_array_set_size(source->events, 0);
	source->system = NULL;
	source->is_ambiguous = false;
}

static void note_symbol(struct debuginfo *debuginfo, struct source_symbols *source, const char *name)
{
	const char *system = named_system(debuginfo, name);

	if (g_str_has_prefix(name, EVENT))
		g_ptr_array_add(source->events, (void *)name);
	if (!system)
		return;
	source->is_ambiguous = source->system && strcmp(source->system, system) != 0;
	source->system = system;
}

/*
 * Return the systems of a module's events. The linker keeps the local symbols of a source file together, after the
 * symbol with the file's name.
 */
static GHashTable *module_systems(struct debuginfo *debuginfo)
{
	struct source_symbols source = {g_ptr_array_new(), NULL, false};
	GHashTable *systems = g_hash_table_new(g_str_hash, g_str_equal);
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(debuginfo->debug.elf, ".symtab", &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(debuginfo->debug.elf, header.sh_link, symbol.st_name);

		if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
			end_of_source(&source, systems);
		else if (name)
			note_symbol(debuginfo, &source, name);
	}
	end_of_source(&source, systems);
	g_ptr_array_unref(source.events);
	return systems;
}

static void find_layout(struct debuginfo *debuginfo, struct event_layout *layout)
{
	if (debuginfo->kind != OBJECT_KERNEL)
		layout->systems = module_systems(debuginfo);
	layout->known = debuginfo->kind == OBJECT_KERNEL &&
			member_offset(debuginfo, "struct trace_event_call", "class", &layout->class) &&
			member_offset(debuginfo, "struct trace_event_class", "system", &layout->system);
}

static const char *event_system(struct debuginfo *debuginfo, const struct event_layout *layout, const char *name)
{
	g_autofree char *symbol = g_strconcat(EVENT, name, NULL);
	struct address event;
	struct error *error;
	uint64_t class;

	if (layout->systems)
		return g_hash_table_lookup(layout->systems, symbol);
	if (!layout->known)
		return NULL;
	error = debuginfo_symbol_address(debuginfo, symbol, &event);
	if (error) {
		error_free(error);
		return NULL;
	}
	class = image_pointer(debuginfo, event.value + layout->class);
	return class ? image_string(debuginfo, image_pointer(debuginfo, class + layout->system)) : NULL;
}

/* Return the name of the header that declares a tracepoint, or the module's name; "" if the file is unknown (BTF). */
static const char *header_name(struct debuginfo *debuginfo, const char *declaration_file)
{
	g_autofree char *base = NULL;

	if (debuginfo->kind != OBJECT_KERNEL)
		return debuginfo->name;
	if (!declaration_file[0])
		return "";
	base = g_path_get_basename(declaration_file);
	base[strcspn(base, ".")] = '\0';
	return arena_strdup(debuginfo->arena, base);
}

static struct tracepoint *tracepoint_new(struct debuginfo *debuginfo, const struct event_layout *layout,
					 const struct function *function)
{
	const char *name = function->name + strlen(ITERATOR);
	g_autofree char *symbol = g_strconcat("__tracepoint_", name, NULL);
	struct tracepoint *tracepoint = arena_new0(debuginfo->arena, struct tracepoint);
	struct error *error = debuginfo_symbol_address(debuginfo, symbol, &tracepoint->address);

	if (error) {
		error_free(error);
		return NULL;
	}
	tracepoint->name = name;
	tracepoint->function = function;
	if (debuginfo->source->tracepoint_system)
		tracepoint->system = debuginfo->source->tracepoint_system(debuginfo, name);
	if (!tracepoint->system)
		tracepoint->system = event_system(debuginfo, layout, name);
	if (!tracepoint->system)
		tracepoint->system = header_name(debuginfo, function->declaration_file);
	return tracepoint;
}

/* Does the system match? If it is unknown, accept any system for a tracepoint that is named without wildcards. */
static bool system_matches(const struct event_layout *layout, const struct tracepoint *tracepoint, const char *system,
			   const char *name)
{
	if (g_pattern_match_simple(system, tracepoint->system))
		return true;
	return !layout->known && !tracepoint->system[0] && strcmp(name, tracepoint->name) == 0;
}

struct error *debuginfo_tracepoints(struct debuginfo *debuginfo, const char *system, const char *name, GPtrArray *ret)
{
	g_autofree char *iterators = g_strconcat(ITERATOR, name, NULL);
	struct function_query query = {.name = iterators, .inlines = ONLY_REAL};
	g_autoptr(GPtrArray) functions = g_ptr_array_new();
	struct event_layout layout = {false, 0, 0, NULL};
	struct error *error = debuginfo_functions(debuginfo, &query, functions);

	if (error)
		return error;
	if (functions->len)
		find_layout(debuginfo, &layout);
	for (guint i = 0; i < functions->len; i++) {
		struct tracepoint *tracepoint = tracepoint_new(debuginfo, &layout, g_ptr_array_index(functions, i));

		if (tracepoint && system_matches(&layout, tracepoint, system, name))
			g_ptr_array_add(ret, tracepoint);
	}
	g_clear_pointer(&layout.systems, g_hash_table_unref);
	return NULL;
}

/* ---- names only ---- */

struct declaration_search {
	uint64_t address;
	const char *file; /* "": not found */
};

static int note_declaration(Dwarf_Die *die, void *data)
{
	struct declaration_search *search = data;
	Dwarf_Addr low;

	if (dwarf_lowpc(die, &low) != 0 || low != search->address)
		return DWARF_CB_OK;
	search->file = dwarf_decl_file(die) ?: "";
	return DWARF_CB_ABORT;
}

/* Return the file that declares the function at an address; reads only its unit of the DWARF. */
static const char *declared_in(struct debuginfo *debuginfo, uint64_t address)
{
	struct declaration_search search = {address, ""};
	Dwarf_Die unit;
	Dwarf *dwarf;
	struct error *error = debuginfo_dwarf(debuginfo, &dwarf);

	if (error)
		error_free(error);
	else if (dwarf_addrdie(dwarf, address, &unit))
		dwarf_getfuncs(&unit, note_declaration, &search, 0);
	return search.file;
}

struct error *debuginfo_tracepoint_names(struct debuginfo *debuginfo, const char *system, const char *name,
					 GPtrArray *ret)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	bool found = debuginfo->by_btf;
	struct error *error = NULL;

	if (!found && debuginfo->kind == OBJECT_KERNEL && debuginfo->source->reader->is_dwarf &&
	    !debuginfo_has_index(debuginfo))
		error = debuginfo_open_btf(debuginfo, &found);
	if (error || !found)
		return error ?: debuginfo_tracepoints(debuginfo, system, name, ret);
	error = debuginfo_tracepoints(debuginfo->by_btf, "*", name, all);
	for (guint i = 0; !error && i < all->len; i++) {
		struct tracepoint *tracepoint = g_ptr_array_index(all, i);

		/* BTF has no file names. */
		if (!tracepoint->system[0])
			tracepoint->system =
				header_name(debuginfo, declared_in(debuginfo, tracepoint->function->entry.value));
		tracepoint->function = NULL;
		if (g_pattern_match_simple(system, tracepoint->system))
			g_ptr_array_add(ret, tracepoint);
	}
	return error;
}
