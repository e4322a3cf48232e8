// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the places of frames in debuginfo.
 *
 * The code of a program or library is identified by its build-id, and the place in it by its link-time address or a
 * symbol that is unique in the file. All come from the module. A file of this name with another build-id is ignored.
 *
 * A frame of the kernel or of a module has a symbol and an offset. A name that several static functions share is
 * ambiguous. So the frames whose names are unique give the distance between the run-time address and the link-time
 * address, for each section of the object. It decides which function of an ambiguous name is at an address. If unique
 * names disagree about the distance, nothing in the section is found, because its code is another build.
 */
#include "translator/frames/lookup.h"

#include <string.h>

#include "common/base/cleanup.h"
#include "common/elf/elf.h"
#include "translator/debuginfo/debuginfo.h"

/* Where a section is loaded: run-time addresses minus those of debuginfo. */
struct base {
	uint64_t distance;
	bool is_contradicted;
};

/* The kernel, a module, a program or a library. */
struct object {
	struct debuginfo *debuginfo; /* NULL: not found */
	char *tried; /* the last path that was tried for a program; or NULL */
	GHashTable *bases; /* name of a section, "" for the kernel -> struct base */
};

struct host {
	const struct translation *translation;
	struct frame_lookup *lookup;
	GHashTable *kernel_objects; /* name -> struct object */
};

struct frame_lookup {
	GPtrArray *hosts; /* struct host, or NULL */
	GHashTable *programs; /* build-id -> struct object */
};

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static void free_object(gpointer data)
{
	struct object *object = data;

	g_hash_table_unref(object->bases);
	g_free(object->tried);
	g_free(object);
}

static struct object *new_object(struct debuginfo *debuginfo)
{
	struct object *object = g_new0(struct object, 1);

	object->debuginfo = debuginfo;
	object->bases = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	return object;
}

static bool has_places(const struct debuginfo *debuginfo)
{
	_cleanup_error_ struct error *error = debuginfo_require(debuginfo, KNOWS_LINES | KNOWS_INLINES);

	return !error;
}

/* Open the debuginfo of the kernel or of a module, unless the translation has done it. Return NULL if not found. */
static struct debuginfo *open_kernel_object(const struct translation *t, const char *name)
{
	struct debuginfo *found = g_hash_table_lookup(t->open_debuginfo, name);
	_cleanup_error_ struct error *error = NULL;

	if (!found && t->kernel.release) {
		error = debuginfo_open(&t->kernel, &t->search, name, &found);
		if (!error)
			g_hash_table_insert(t->open_debuginfo, g_strdup(name), found);
	}
	return found && has_places(found) ? found : NULL;
}

static struct object *kernel_object(struct host *host, const struct stack_frame *frame)
{
	bool is_module = !strcmp(frame->kind, "module");
	const char *name = is_module ? frame->object : "kernel";
	struct object *object;

	/* A path would name any file. */
	if (!name || strchr(name, '/') || (is_module && !strcmp(name, "kernel")))
		return NULL;
	object = g_hash_table_lookup(host->kernel_objects, name);
	if (!object) {
		object = new_object(open_kernel_object(host->translation, name));
		g_hash_table_insert(host->kernel_objects, g_strdup(name), object);
	}
	return object;
}

/* Open the file of a frame if it is on this machine with the same build-id. */
static struct debuginfo *open_same_file(const struct translation *t, const struct stack_frame *frame)
{
	const struct sysroot *sysroot = &t->search.sysroot;
	g_autofree char *path = NULL, *build_id = NULL;
	struct debuginfo *found = NULL;
	_cleanup_error_ struct error *error = NULL;

	if (!frame->object || frame->object[0] != '/')
		return NULL;
	path = g_strconcat(sysroot->directory ?: "", frame->object, NULL);
	build_id = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? elf_file_build_id(path) : NULL;
	if (g_strcmp0(build_id, frame->build_id) != 0)
		return NULL;
	error = debuginfo_open_object(&t->kernel, &t->search, path, &found);
	if (error || (!strcmp(debuginfo_build_id(found), frame->build_id) && has_places(found)))
		return found;
	debuginfo_close(found);
	return NULL;
}

static struct debuginfo *open_by_build_id(const struct translation *t, const char *build_id)
{
	struct debuginfo *found = NULL;
	_cleanup_error_ struct error *error = debuginfo_open_build_id(&t->kernel, &t->search, build_id, &found);

	return found;
}

static bool is_build_id(const char *text)
{
	size_t length = text ? strlen(text) : 0;

	return length >= 4 && length % 2 == 0 && strspn(text, "0123456789abcdef") == length;
}

static struct object *program_object(struct host *host, const struct stack_frame *frame)
{
	GHashTable *programs = host->lookup->programs;
	struct object *object;

	if (!is_build_id(frame->build_id))
		return NULL;
	object = g_hash_table_lookup(programs, frame->build_id);
	if (!object) {
		object = new_object(open_same_file(host->translation, frame)
					    ?: open_by_build_id(host->translation, frame->build_id));
		object->tried = g_strdup(frame->object);
		g_hash_table_insert(programs, g_strdup(frame->build_id), object);
	}
	/* Another path may lead to a copy that is on this machine. */
	if (!object->debuginfo && g_strcmp0(object->tried, frame->object) != 0) {
		object->debuginfo = open_same_file(host->translation, frame);
		g_free(object->tried);
		object->tried = g_strdup(frame->object);
	}
	return object;
}

static struct host *find_host(const struct frame_lookup *lookup, unsigned int number)
{
	return number < lookup->hosts->len ? g_ptr_array_index(lookup->hosts, number) : NULL;
}

static bool is_kernels(const struct stack_frame *frame)
{
	return frame->kind && (!strcmp(frame->kind, "kernel") || !strcmp(frame->kind, "module"));
}

/* ---- symbols of the kernel --------------------------------------------------------------------------------------- */

static bool same_address(struct address a, struct address b)
{
	return a.value == b.value && !g_strcmp0(a.section, b.section);
}

/* Return the different addresses of a name. */
static GArray *find_symbols(struct debuginfo *debuginfo, const char *name)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct address));
	GArray *ret = g_array_new(FALSE, FALSE, sizeof(struct address));
	_cleanup_error_ struct error *error = debuginfo_symbol_addresses(debuginfo, name, all);

	for (guint i = 0; i < all->len && !error; i++) {
		struct address address = g_array_index(all, struct address, i);
		bool is_known = false;

		for (guint j = 0; j < ret->len; j++)
			is_known |= same_address(address, g_array_index(ret, struct address, j));
		if (!is_known)
			g_array_append_val(ret, address);
	}
	return ret;
}

static const char *section_key(struct address address)
{
	return address.section ?: "";
}

static void note_base(struct object *object, struct address symbol, uint64_t run_time)
{
	struct base *base = g_hash_table_lookup(object->bases, section_key(symbol));
	uint64_t distance = run_time - symbol.value;

	if (base) {
		base->is_contradicted |= base->distance != distance;
		return;
	}
	base = g_new0(struct base, 1);
	base->distance = distance;
	g_hash_table_insert(object->bases, (gpointer)section_key(symbol), base);
}

static void learn(void *data, unsigned int number, const struct stack_frame *frame)
{
	struct host *host = find_host(data, number);
	g_autoptr(GArray) symbols = NULL;
	struct object *object;

	if (!host || !is_kernels(frame) || !frame->name || !frame->has_offset || !frame->has_address)
		return;
	object = kernel_object(host, frame);
	if (!object || !object->debuginfo)
		return;
	symbols = find_symbols(object->debuginfo, frame->name);
	if (symbols->len == 1)
		note_base(object, g_array_index(symbols, struct address, 0), frame->address - frame->offset);
}

/* Is the symbol where the frame's function is? */
static bool is_at(const struct object *object, struct address symbol, const struct stack_frame *frame)
{
	const struct base *base = g_hash_table_lookup(object->bases, section_key(symbol));

	return base && symbol.value + base->distance == frame->address - frame->offset;
}

/* If unique names disagree, the loaded code is another build than the debuginfo, or was loaded twice. */
static bool is_contradicted(const struct object *object, struct address symbol)
{
	const struct base *base = g_hash_table_lookup(object->bases, section_key(symbol));

	return base && base->is_contradicted;
}

static bool choose_symbol(const struct object *object, const GArray *symbols, const struct stack_frame *frame,
			  struct address *ret)
{
	guint found = 0;

	for (guint i = 0; i < symbols->len; i++) {
		struct address symbol = g_array_index(symbols, struct address, i);

		if (symbols->len > 1 && (!frame->has_address || !is_at(object, symbol, frame)))
			continue;
		*ret = symbol;
		found++;
	}
	ret->value += frame->offset;
	return found == 1 && !is_contradicted(object, *ret);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void add_places(struct debuginfo *debuginfo, struct address address, GArray *ret)
{
	error_free(debuginfo_code_places(debuginfo, address, ret));
}

/* Return the place that is @p number functions inside of the real one. */
static struct code_place *from_outside(const GArray *places, guint number)
{
	return &g_array_index(places, struct code_place, places->len - 1 - number);
}

static bool same_line(const struct code_place *a, const struct code_place *b)
{
	return a->line == b->line && !g_strcmp0(a->file, b->file);
}

/* Append what two answers have in common, from the real function inwards. */
static void add_common(const GArray *a, const GArray *b, GArray *ret)
{
	guint count = MIN(a->len, b->len);
	bool is_same = true;

	for (guint i = 0; i < count && is_same; i++) {
		struct code_place place = *from_outside(a, i);

		if (g_strcmp0(place.name, from_outside(b, i)->name) != 0)
			break;
		is_same = same_line(&place, from_outside(b, i));
		if (!is_same) {
			place.file = NULL;
			place.line = 0;
		}
		g_array_prepend_val(ret, place);
	}
}

static void find_either(struct debuginfo *debuginfo, struct address address, GArray *ret)
{
	g_autoptr(GArray) at = g_array_new(FALSE, FALSE, sizeof(struct code_place));
	g_autoptr(GArray) before = g_array_new(FALSE, FALSE, sizeof(struct code_place));

	add_places(debuginfo, address, at);
	address.value--;
	add_places(debuginfo, address, before);
	add_common(at, before, ret);
}

/*
 * Find the places of an address of the kernel. If no call precedes the address, it is not a return address but, for
 * example, an interrupted instruction.
 */
static void find_kernel_places(struct debuginfo *debuginfo, struct address address, const struct stack_frame *frame,
			       enum frame_position position, GArray *ret)
{
	if (!frame->offset && position == FRAME_AFTER_CALL)
		return; /* the call is in another function than the symbol */
	if (position == FRAME_AT || !frame->offset || !debuginfo_may_follow_call(debuginfo, address)) {
		add_places(debuginfo, address, ret);
	} else if (position == FRAME_AFTER_CALL) {
		address.value--;
		add_places(debuginfo, address, ret);
	} else {
		find_either(debuginfo, address, ret);
	}
}

static bool find_in_kernel(struct host *host, const struct stack_frame *frame, enum frame_position position,
			   GArray *ret)
{
	struct object *object = frame->name && frame->has_offset ? kernel_object(host, frame) : NULL;
	g_autoptr(GArray) symbols = NULL;
	struct address address = {0};

	if (!object || !object->debuginfo)
		return true;
	symbols = find_symbols(object->debuginfo, frame->name);
	if (choose_symbol(object, symbols, frame, &address))
		find_kernel_places(object->debuginfo, address, frame, position, ret);
	/* More may be learned about where sections are. */
	return ret->len || symbols->len < 2;
}

/* Find the link-time address of a frame of a program. Texts have only the symbol, which must be unique then. */
static bool find_link_address(struct debuginfo *debuginfo, const struct stack_frame *frame, uint64_t *ret)
{
	g_autoptr(GArray) symbols = NULL;

	*ret = frame->link_address;
	if (frame->has_link_address)
		return true;
	if (!frame->name || !frame->has_offset)
		return false;
	symbols = find_symbols(debuginfo, frame->name);
	if (symbols->len != 1)
		return false;
	*ret = g_array_index(symbols, struct address, 0).value + frame->offset;
	return true;
}

/* A return address that is the beginning of a function is that of a signal handler, which a call does not precede. */
static void find_in_program(struct host *host, const struct stack_frame *frame, enum frame_position position,
			    GArray *ret)
{
	struct object *object = program_object(host, frame);
	bool is_after = position == FRAME_AFTER_CALL && (!frame->has_name || frame->offset);
	uint64_t address;

	if (object && object->debuginfo && find_link_address(object->debuginfo, frame, &address))
		add_places(object->debuginfo, (struct address){address - is_after, NULL}, ret);
}

static bool find(void *data, unsigned int number, const struct stack_frame *frame, enum frame_position position,
		 GArray *ret)
{
	struct host *host = find_host(data, number);

	if (!host)
		return true;
	if (is_kernels(frame))
		return find_in_kernel(host, frame, position, ret);
	find_in_program(host, frame, position, ret);
	return true;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static void free_host(gpointer data)
{
	struct host *host = data;

	if (host)
		g_hash_table_unref(host->kernel_objects);
	g_free(host);
}

static struct host *new_host(struct frame_lookup *lookup, const struct translation *translation)
{
	struct host *host = g_new0(struct host, 1);

	host->translation = translation;
	host->lookup = lookup;
	host->kernel_objects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_object);
	return host;
}

static void free_program(gpointer data)
{
	struct object *object = data;

	debuginfo_close(object->debuginfo);
	free_object(object);
}

struct frame_lookup *frame_lookup_new(const GPtrArray *translations)
{
	struct frame_lookup *lookup = g_new0(struct frame_lookup, 1);

	lookup->hosts = g_ptr_array_new_with_free_func(free_host);
	lookup->programs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_program);
	for (guint i = 0; i < translations->len; i++) {
		const struct translation *t = g_ptr_array_index(translations, i);

		g_ptr_array_add(lookup->hosts, t ? new_host(lookup, t) : NULL);
	}
	return lookup;
}

void frame_lookup_free(struct frame_lookup *lookup)
{
	g_ptr_array_unref(lookup->hosts);
	g_hash_table_unref(lookup->programs);
	g_free(lookup);
}

struct frame_source frame_lookup_source(struct frame_lookup *lookup)
{
	return (struct frame_source){.data = lookup, .learn = learn, .find = find};
}
