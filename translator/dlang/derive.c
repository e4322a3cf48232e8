// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From clauses of D to probes with handlers. Each probe description is resolved to points, and these by sema to derived
 * probes. Clauses of one place become one handler, in the order of the program, so that they share clause-local
 * variables. The front end adds probes of its own: one that frees thread-local variables when a thread exits, and one
 * that prints the aggregations at the end.
 */
#include <inttypes.h>

#include "common/base/i18n.h"
#include "translator/dlang/attributes.h"
#include "translator/dlang/lower.h"
#include "translator/dlang/solaris_names.h"
#include "translator/probes/mark.h"
#include "translator/sema/sema.h"

/* The probes with the ids 1, 2 and 3. */
static const char *const fixed_names[] = {"BEGIN", "END", "ERROR"};

/* ---- places ------------------------------------------------------------------------------------------------------ */

static const char *module_of(const struct derived_probe *derived)
{
	const struct debuginfo *debuginfo = derived->registration.debuginfo;
	const char *name;

	if (!debuginfo)
		return "vmlinux";
	name = debuginfo_module_name(debuginfo);
	if (debuginfo_memory(debuginfo) == MEMORY_USER)
		return strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	return strcmp(name, "kernel") ? name : "vmlinux";
}

/* Return the full name of a probe. */
static const char *probe_key(struct d_translation *d, const char *const *parts)
{
	return arena_printf(d->arena, "%s:%s:%s:%s", parts[D_PROVIDER], parts[D_MODULE], parts[D_FUNCTION] ?: "*",
			    parts[D_PROBE_NAME]);
}

/* Return a text that no other place has. */
static const char *place_key(struct d_translation *d, const struct d_point *point, const struct derived_probe *derived,
			     const char *const *parts)
{
	return arena_printf(d->arena, "%s %d %s%" PRIx64, probe_key(d, parts),
			    point->is_of_all ? -1 : point->system_call, derived->registration.address.section ?: "",
			    derived->registration.address.value);
}

/* Run the handler of a place only if the condition @guard holds. */
static void guard_place(struct d_translation *d, struct d_place *place, const char *guard)
{
	struct statement *test =
		d_template(d, &place->derived->point->location, arena_printf(d->arena, "if (%s) {}", guard));

	place->derived->body = test;
	place->body = d_template_hole(test);
}

/* Return the name of a mark in D, where "-" stands for "__". */
static const char *mark_name(struct d_translation *d, const struct derived_probe *derived)
{
	g_auto(GStrv) words = g_strsplit(named_place_name(derived) ?: "", "__", -1);
	g_autofree char *name = g_strjoinv("-", words);

	return arena_strdup(d->arena, name);
}

/* Return the name of the function around a mark, which may be inlined elsewhere; "" if it is not known. */
static const char *function_around(const struct derived_probe *derived)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(struct code_place));

	error_free(debuginfo_code_places(derived->registration.debuginfo, derived->registration.address, places));
	return places->len ? g_array_index(places, struct code_place, places->len - 1).name ?: "" : "";
}

/* Return the fixed id of a probe of dtrace, or a new one. */
static unsigned int place_id(struct d_translation *d, const char *const *parts)
{
	for (unsigned int i = 0; !strcmp(parts[D_PROVIDER], "dtrace") && i < G_N_ELEMENTS(fixed_names); i++)
		if (!strcmp(parts[D_PROBE_NAME], fixed_names[i]))
			return i + 1;
	return D_FIRST_ID + d->other_places++;
}

/* Give a new place the id of its probe. */
static void number_place(struct d_translation *d, struct d_place *place)
{
	const char *key = probe_key(d, place->parts);

	place->first = g_hash_table_lookup(d->first_places, key);
	if (place->first) {
		place->id = place->first->id;
		return;
	}
	place->first = place;
	place->id = place_id(d, place->parts);
	g_hash_table_insert(d->first_places, (void *)key, place);
}

/*
 * Move a probe from a function's entry to the offset in its description. Return false after a diagnostic: a breakpoint
 * inside an instruction would change the program.
 */
static bool move_to_offset(struct d_translation *d, const struct d_point *point, struct derived_probe *derived)
{
	const struct function *function = derived->function;
	struct registration *registration = &derived->registration;
	const struct location *at = &derived->point->location;

	registration->address.value += point->offset;
	registration->file_offset += point->offset;
	if (function && function->size && point->offset >= function->size) {
		diagnose(d->t->diagnostics, SEMANTIC_ERROR, at,
			 _("[D_PROC_OFF] offset 0x%" PRIx64 " is outside of function '%s'"), point->offset,
			 derived->function_name);
		return false;
	}
	if (!point->offset ||
	    debuginfo_instruction_place(registration->debuginfo, registration->address.value) == INSTRUCTION_BEGINS)
		return true;
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, at,
		 _("[D_PROC_ALIGN] offset 0x%" PRIx64 " in function '%s' is not aligned on an instruction"),
		 point->offset, derived->function_name);
	return false;
}

/* Return the place of a derived probe. A new one is added to the translation's probes. */
static struct d_place *place_of(struct d_translation *d, const struct d_point *point, struct derived_probe *derived)
{
	const char *parts[D_PART_COUNT_], *key;
	struct d_place *place;

	memcpy(parts, point->parts, sizeof(parts));
	if (point->names_function) {
		parts[D_MODULE] = module_of(derived);
		parts[D_FUNCTION] = parts[D_FUNCTION] ?: derived->function_name ?: "";
	}
	if (point->names_probe)
		parts[D_PROBE_NAME] = derived->function_name ?: "";
	if (point->names_mark) {
		parts[D_FUNCTION] = function_around(derived);
		parts[D_PROBE_NAME] = mark_name(d, derived);
	}
	key = place_key(d, point, derived, parts);
	place = g_hash_table_lookup(d->places, key);
	if (place)
		return place;
	place = arena_new0(d->arena, struct d_place);
	memcpy(place->parts, parts, sizeof(parts));
	place->provider = point->provider;
	place->derived = derived;
	place->is_return = point->is_return;
	g_ptr_array_add(d->place_list, place);
	g_hash_table_insert(d->places, (void *)key, place);
	number_place(d, place);
	if (!options_listing(d->t->options)) {
		place->body = build_block(d->arena, &derived->point->location);
		derived->body = place->body;
		if (point->guard)
			guard_place(d, place, point->guard);
		if (d->frame_used)
			g_ptr_array_add(
				place->body->statements,
				d_template(d, &derived->point->location,
					   arena_printf(d->arena, "__dtrace_frame_clear(%" PRIu64 ")", d->frame_used)));
		/* Clauses have no loops; those that print aggregations are bounded by their arrays. */
		derived->uncounted = true;
	}
	g_ptr_array_add(d->t->probes, derived);
	return place;
}

/* Parse a point of the SystemTap language that the front end has made. */
static struct probe *probe_of(struct d_translation *d, const char *text, const struct location *at)
{
	struct source_file *file = arena_new0(d->arena, struct source_file);
	struct probe *probe = arena_new0(d->arena, struct probe);
	struct probe_point *point;

	file->name = "<dlang>";
	file->text = text;
	file->length = strlen(text);
	point = parse_probe_point(&d->t->language, file);
	if (!point)
		return NULL;
	point->location = *at;
	for_each_ptr(struct probe_component *, component, point->components)
		component->location = *at;
	probe->location = *at;
	probe->script = d->script;
	probe->points = arena_ptr_array(d->arena);
	g_ptr_array_add(probe->points, point);
	probe->body = build_block(d->arena, at);
	return probe;
}

/* Append the places of a point. */
static void find_places(struct d_translation *d, const struct d_point *point, const struct location *at,
			GPtrArray *places)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	const struct probe *probe = probe_of(d, point->text, at);

	if (!probe)
		return;
	derive_probe(d->t, probe, found);
	for_each_ptr(struct derived_probe *, derived, found)
		if ((!point->names_mark || d_part_matches(point->wanted_function, function_around(derived))) &&
		    move_to_offset(d, point, derived))
			g_ptr_array_add(places, place_of(d, point, derived));
}

/* ---- clauses ----------------------------------------------------------------------------------------------------- */

/* Report a pid probe whose provider names no process, and return true. */
static bool names_no_process(struct d_translation *d, const struct d_description *description)
{
	const char *name = description->parts[D_PROVIDER];
	const int64_t pid = d_pid_of(name);
	g_autofree char *directory = g_strdup_printf("/proc/%" PRId64, pid);

	if (!g_str_has_prefix(name, "pid") || strpbrk(name, "*?["))
		return false;
	if (!pid) {
		diagnose(d->t->diagnostics, SEMANTIC_ERROR, &description->location,
			 _("[D_PROC_BADPID] '%s' does not contain a valid process ID"), name);
		return true;
	}
	/* The process of -c does not exist yet, and that of a remote host is not visible. */
	if (strcmp(d_shown_provider(d->arena, name), name) || d->t->options->remotes->len ||
	    g_file_test(directory, G_FILE_TEST_EXISTS))
		return false;
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &description->location, _("[D_PROC_GRAB] there is no process %s"),
		 name + strlen("pid"));
	return true;
}

static void no_match(struct d_translation *d, const struct d_description *description, const GPtrArray *reports)
{
	const struct diagnostic *first = reports->len ? g_ptr_array_index(reports, 0) : NULL;

	/* Report an error of the front end itself instead, because it says more. */
	if (first && *first->text == '[') {
		diagnose(d->t->diagnostics, SEMANTIC_ERROR, &description->location, "%s", first->text);
		return;
	}
	if (names_no_process(d, description))
		return;
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &description->location,
		 options_listing(d->t->options)
			 ? _("[D_PDESC_ZERO] failed to match %s:%s:%s:%s: No probe matches description")
			 : _("[D_PDESC_ZERO] probe description %s:%s:%s:%s does not match any probes"),
		 d_shown_provider(d->arena, description->parts[D_PROVIDER]), description->parts[D_MODULE],
		 description->parts[D_FUNCTION], description->parts[D_PROBE_NAME]);
	if (d_hint_linux_name(d->t->diagnostics, description->parts[D_FUNCTION]))
		return;
	if (d_missing_provider(description->parts[D_PROVIDER]))
		diagnose_hint(d->t->diagnostics, _("the provider %s is not supported: %s"),
			      description->parts[D_PROVIDER], _(d_missing_provider(description->parts[D_PROVIDER])));
	else if (first && first->hint)
		diagnose_hint(d->t->diagnostics, "%s; %s", first->text, first->hint);
	else if (first)
		diagnose_hint(d->t->diagnostics, "%s", first->text);
}

static bool is_error_description(const struct d_description *description)
{
	const char *provider = description->parts[D_PROVIDER];

	if (description->id == G_N_ELEMENTS(fixed_names))
		return true;
	return !strcmp(description->parts[D_PROBE_NAME], "ERROR") && (!*provider || !strcmp(provider, "dtrace"));
}

static void count_matches(struct d_translation *d, const struct d_description *description, unsigned int count)
{
	const struct source_file *file = description->location.file;

	count += GPOINTER_TO_UINT(g_hash_table_lookup(d->matched, file));
	g_hash_table_insert(d->matched, (void *)file, GUINT_TO_POINTER(count));
}

/* Return the number of probes to which places belong, from the place number @from. */
static guint count_probes(const GPtrArray *places, guint from)
{
	g_autoptr(GHashTable) probes = g_hash_table_new(NULL, NULL);

	for (guint i = from; i < places->len; i++)
		g_hash_table_add(probes, ((const struct d_place *)g_ptr_array_index(places, i))->first);
	return g_hash_table_size(probes);
}

/* Append the places of a description, and count its matches. */
static bool match_description(struct d_translation *d, const struct d_description *description, GPtrArray *places)
{
	g_autoptr(GPtrArray) points = g_ptr_array_new();
	size_t mark = diagnostics_mark(d->t->diagnostics);
	guint before = places->len;
	GPtrArray *reports;

	if (description->id >= 1 && description->id <= (int64_t)G_N_ELEMENTS(fixed_names)) {
		struct d_description *named = arena_new0(d->arena, struct d_description);

		*named = *description;
		named->id = 0;
		named->parts[D_PROVIDER] = "dtrace";
		named->parts[D_PROBE_NAME] = fixed_names[description->id - 1];
		return match_description(d, named, places);
	}
	if (description->id) {
		diagnose(d->t->diagnostics, SEMANTIC_ERROR, &description->location,
			 _("[D_PDESC_INVAL] there is no probe with ID %" PRId64), description->id);
		diagnose_hint(d->t->diagnostics, _("name the probe; IDs are numbered anew for each program"));
		return false;
	}
	d_find_points(d, description, points);
	for_each_ptr(const struct d_point *, point, points) {
		find_places(d, point, &description->location, places);
		count_matches(d, description, point->is_of_all ? d_syscall_count(d) - 1 : 0);
	}
	count_matches(d, description, count_probes(places, before));
	if (places->len > before) {
		/* A description may match with one provider and not with another. */
		diagnostics_rewind(d->t->diagnostics, mark);
		return true;
	}
	reports = diagnostics_since(d->t->diagnostics, mark);
	diagnostics_rewind(d->t->diagnostics, mark);
	if (d->options.allow_zero)
		return true;
	no_match(d, description, reports);
	return false;
}

static void lower_clause(struct d_translation *d, const struct d_clause *clause)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	unsigned int errors = diagnostics_errors(d->t->diagnostics);

	for_each_ptr(const struct d_description *, description, clause->descriptions) {
		if (is_error_description(description)) {
			count_matches(d, description, 1);
			d->error_enabling = ++d->enablings;
		} else {
			match_description(d, description, places);
		}
	}
	if (options_listing(d->t->options))
		return;
	for_each_ptr(struct d_place *, place, places) {
		d_lower_clause(d, clause, place);
		/* The same error would be reported for each place. */
		if (diagnostics_errors(d->t->diagnostics) > errors)
			return;
	}
}

static void collect_error_clauses(struct d_translation *d)
{
	for_each_ptr(struct d_clause *, clause, d->program->clauses) {
		for_each_ptr(const struct d_description *, description, clause->descriptions) {
			if (is_error_description(description))
				g_ptr_array_add(d->error_clauses, clause);
		}
	}
}

/* ---- probes of the front end ------------------------------------------------------------------------------------- */

/* Add a probe with a body to the translation. */
static void add_own_probe(struct d_translation *d, const char *point, struct statement *body)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct probe *probe = probe_of(d, point, &body->location);

	probe->body = body;
	derive_probe(d->t, probe, found);
	for_each_ptr(struct derived_probe *, derived, found) {
		derived->uncounted = true;
		g_ptr_array_add(d->t->probes, derived);
	}
}

/* Free the thread-local variables of a thread that exits. */
static void add_thread_exit(struct d_translation *d)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct location at = {.file = d->script->file, .line = 1, .column = 1};
	GHashTableIter iter;
	void *value;

	g_hash_table_iter_init(&iter, d->variables[D_THREAD_SCOPE]);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct d_variable *variable = value;
		g_autoptr(GString) keys = g_string_new("d_t");

		if (!variable->keys) {
			if (variable->in_memory)
				g_string_append_printf(text, "__dtrace_block_free(%s[tid()], %" PRIu64 "); ",
						       variable->symbol, variable->type->size);
			g_string_append_printf(text, "delete %s[tid()]; ", variable->symbol);
			continue;
		}
		for (guint i = 0; i < variable->keys->len; i++)
			g_string_append_printf(
				keys, d_is_text(g_ptr_array_index(variable->keys, i)) ? ", d_text_key%u" : ", d_key%u",
				i);
		g_string_append_printf(text, "foreach ([%s] in %s[tid()", keys->str, variable->symbol);
		for (guint i = 0; i < variable->keys->len; i++)
			g_string_append(text, ", *");
		g_string_append_printf(text, "]) delete %s[%s]; ", variable->symbol, keys->str);
	}
	if (text->len)
		add_own_probe(d, "kernel.trace(\"sched:sched_process_exit\")", d_template(d, &at, text->str));
}

/* -Z: a program without probes runs until it is stopped. */
static void add_nothing(struct d_translation *d)
{
	struct location at = {.file = d->script->file, .line = 1, .column = 1};

	if (d->options.allow_zero && !d->t->probes->len)
		add_own_probe(d, "end", build_block(d->arena, &at));
}

/* Print the column titles at the start, because a ring may overwrite the first record. */
static void add_heading(struct d_translation *d)
{
	struct location at = {.file = d->script->file, .line = 1, .column = 1};

	if (d->options.quiet || d->t->limits.buffer_policy != STP_BUFFER_RING)
		return;
	add_own_probe(d, "begin(-9223372036854775807)",
		      d_template(d, &at, d->options.flow_indent ? "__dtrace_heading(1)" : "__dtrace_heading(0)"));
}

static bool has_arrays(const struct d_translation *d)
{
	if (d->aggregation_list->len)
		return true;
	for (int scope = 0; scope < D_SCOPE_COUNT_; scope++) {
		GHashTableIter iter;
		void *value;

		g_hash_table_iter_init(&iter, d->variables[scope]);
		while (g_hash_table_iter_next(&iter, NULL, &value))
			if (scope == D_THREAD_SCOPE || ((const struct d_variable *)value)->keys)
				return true;
	}
	return false;
}

/* At the end, print what no clause has printed, and report elements that did not fit. */
static void add_final_print(struct d_translation *d)
{
	struct location at = {.file = d->script->file, .line = 1, .column = 1};
	struct d_place place = {.parts = {"dtrace", "", "", "END"}};
	struct d_lowering l = {.d = d, .t = d->t, .arena = d->arena, .place = &place};

	if (!has_arrays(d) && !d->has_speculations)
		return;
	l.block = build_block(d->arena, &at);
	if (d->has_speculations)
		d_emit_expr(&l, build_call(d->arena, &at, "__dtrace_report_speculations", NULL));
	d_report_drops(&l, &at);
	d_print_remaining(&l);
	add_own_probe(d, "end(9223372036854775807)", l.block);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static GHashTable *string_table(struct arena *arena)
{
	GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);

	arena_defer(arena, (GDestroyNotify)g_hash_table_unref, table);
	return table;
}

static struct script *empty_script(struct translation *t)
{
	struct script *script = arena_new0(t->arena, struct script);

	script->file = g_ptr_array_index(t->user_sources, 0);
	script->probes = arena_ptr_array(t->arena);
	script->aliases = arena_ptr_array(t->arena);
	script->globals = arena_ptr_array(t->arena);
	script->functions = arena_ptr_array(t->arena);
	script->embeds = arena_ptr_array(t->arena);
	script->privileged = t->options->guru_mode;
	return script;
}

static void begin(struct d_translation *d, struct translation *t, struct d_program *program)
{
	d->t = t;
	d->arena = t->arena;
	d->program = program;
	for (int i = 0; i < D_SCOPE_COUNT_; i++)
		d->variables[i] = string_table(t->arena);
	d->aggregations = string_table(t->arena);
	d->aggregation_list = arena_ptr_array(t->arena);
	d->types = string_table(t->arena);
	d->enumerators = string_table(t->arena);
	d->definitions = string_table(t->arena);
	d->places = string_table(t->arena);
	d->first_places = string_table(t->arena);
	d->matched = g_hash_table_new(NULL, NULL);
	d->uses = g_hash_table_new(NULL, NULL);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, d->uses);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, d->matched);
	d->globals = string_table(t->arena);
	d->place_list = arena_ptr_array(t->arena);
	d->error_clauses = arena_ptr_array(t->arena);
	d->script = empty_script(t);
}

/* Keep the number of the process that runs BEGIN, for $pid. */
static void add_own_pid(struct d_translation *d)
{
	struct location at = {.file = d->script->file, .line = 1, .column = 1};

	if (d->uses_own_pid)
		add_own_probe(d, "begin(-9223372036854775807)", d_template(d, &at, "d_own_pid = pid()"));
}

/* -p: end when the process has ended. The probe comes after those of the program at the same place. */
static void add_target_exit(struct d_translation *d)
{
	struct location at = {.file = d->script->file, .line = 1, .column = 1};
	const char *report =
		d->options.quiet ? "" : "__dtrace_message(sprintf(\"dtrace: pid %d has exited\", target())); ";

	if (d->t->options->target_pid && !d->t->options->command)
		add_own_probe(d, "kernel.trace(\"sched:sched_process_exit\")",
			      d_template(d, &at,
					 arena_printf(d->arena, "if (tid() == target()) { %sexit() }", report)));
}

/* The hook of sema: fill in t->probes. */
static bool derive(struct translation *t)
{
	struct d_translation *d = t->foreign;
	struct d_lowering l = {.d = d, .t = t, .arena = t->arena};

	g_ptr_array_add(t->scripts, d->script);
	if (!d_declare_all(&l))
		return false;
	collect_error_clauses(d);
	/* Stop at the first error, because later clauses use what earlier ones define. */
	for_each_ptr(const struct d_clause *, clause, d->program->clauses) {
		lower_clause(d, clause);
		if (diagnostics_errors(t->diagnostics))
			return false;
	}
	if (!options_listing(t->options)) {
		add_thread_exit(d);
		add_target_exit(d);
		add_own_pid(d);
		add_final_print(d);
		add_heading(d);
		add_nothing(d);
	}
	sort_probes(t);
	return diagnostics_errors(t->diagnostics) == 0;
}

struct d_translation *dlang_begin(struct translation *t, struct d_program *program, const struct d_options *options,
				  d_option_setter *set_option)
{
	struct d_translation *d = arena_new0(t->arena, struct d_translation);

	begin(d, t, program);
	d->options = *options;
	d->set_option = set_option;
	t->foreign = d;
	t->derive_foreign = derive;
	return d;
}

unsigned int dlang_matched(const struct translation *t, const struct source_file *file)
{
	const struct d_translation *d = t->foreign;

	return GPOINTER_TO_UINT(g_hash_table_lookup(d->matched, file));
}

const struct d_use *dlang_use(const struct translation *t, const struct source_file *file)
{
	const struct d_translation *d = t->foreign;

	return g_hash_table_lookup(d->uses, file);
}

static void visit_probe(struct d_translation *d, const struct d_place *place, bool with_types,
			void (*visit)(const struct d_listed_probe *probe))
{
	struct d_listed_probe probe = {
		.id = place->id,
		.description = d_probe_stability(place),
		.arguments = d_argument_stability(place),
		.types = with_types ? d_argument_types(d, place) : NULL,
	};

	memcpy(probe.parts, place->parts, sizeof(probe.parts));
	probe.parts[D_PROVIDER] = d_shown_provider(d->arena, probe.parts[D_PROVIDER]);
	visit(&probe);
}

void dlang_visit_places(const struct translation *t, bool with_types, void (*visit)(const struct d_listed_probe *probe))
{
	struct d_translation *d = t->foreign;

	for_each_ptr(const struct d_place *, place, d->place_list)
		if (place == place->first)
			visit_probe(d, place, with_types, visit);
}
