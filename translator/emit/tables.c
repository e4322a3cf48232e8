// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emit the tables for the runtime (probes, targets, source lines) and the data for staprun.
 */
#include "common/cache.h"
#include "translator/emit/counter_handlers.h"
#include "translator/emit/fault_retry.h"
#include "translator/emit/module.h"
#include "translator/lang/purpose.h"
#include "translator/lang/script_options.h"
#include "translator/sema/sema.h"

#define KIND_NAME(name, type) [STP_PROBE_##name] = "STP_PROBE_" #name,
static const char *const kind_names[STP_PROBE_KIND_COUNT_] = {STP_PROBE_KINDS(KIND_NAME)};
#undef KIND_NAME

static void emit_exits(GString *out, const struct registration *r)
{
	uint64_t offset;

	g_string_append_printf(out, " .exit_count = %u, .exits = (const unsigned long[]){", r->return_exits->len);
	for_each_ptr(const struct function_exit *, exit, r->return_exits)
		if (debuginfo_file_offset(r->debuginfo, exit->address.value, &offset))
			g_string_append_printf(out, " 0x%" G_GINT64_MODIFIER "xUL,", offset);
	g_string_append(out, " },");
}

static void emit_address_fields(struct module_writer *m, GString *out, const struct registration *r)
{
	const struct address *address = r->kind == STP_PROBE_TRACEPOINT ? &r->tracepoint : &r->address;
	unsigned int target;

	if (!r->debuginfo)
		return;
	target = target_number(m->t, r->debuginfo, address->section);
	g_string_append_printf(out, " .target = %u, .address = 0x%" G_GINT64_MODIFIER "xUL,", target, address->value);
	if (r->kind == STP_PROBE_TRACEPOINT)
		g_string_append_printf(out, " .arguments = %d,", r->arguments);
	if (r->file_offset)
		g_string_append_printf(out, " .file_offset = 0x%" G_GINT64_MODIFIER "xUL,", r->file_offset);
	if (r->return_exits)
		emit_exits(out, r);
	if (r->has_fentry)
		g_string_append_printf(out, " .flags = STP_PROBE_HAS_FENTRY, .fentry = 0x%" G_GINT64_MODIFIER "xUL,",
				       r->fentry.value);
}

/* Emit a struct stp_details before the table, unless an equal one exists. Return its name. */
static const char *emit_details(struct module_writer *m, GString *before, const struct registration *r)
{
	const struct {
		const char *member, *value;
	} expressions[] = {{"family", r->family_text}, {"hook", r->hook_text}, {"priority", r->priority_text}};
	const struct stp_details *d = r->details;
	g_autoptr(GString) text = g_string_new(NULL);
	const char *name;

#define WRITE_NUMBER(type, name)                                                                                       \
	if (d->name)                                                                                                   \
		g_string_append_printf(text, " ." #name " = %s,", c_number(m->t->arena, (int64_t)d->name));
#define WRITE_TEXT(name)                                                                                               \
	if (d->name)                                                                                                   \
		g_string_append_printf(text, " ." #name " = %s,", quoted(m, d->name));
	STP_DETAILS(WRITE_NUMBER, WRITE_TEXT)
#undef WRITE_NUMBER
#undef WRITE_TEXT
	for (size_t i = 0; i < G_N_ELEMENTS(expressions); i++)
		if (expressions[i].value)
			g_string_append_printf(text, " .%s = (%s),", expressions[i].member, expressions[i].value);
	name = g_hash_table_lookup(m->details, text->str);
	if (name)
		return name;
	name = arena_printf(m->t->arena, "details_%u", g_hash_table_size(m->details));
	g_hash_table_insert(m->details, (void *)arena_strdup(m->t->arena, text->str), (void *)name);
	g_string_append_printf(before, "static const struct stp_details %s = {%s };\n", name, text->str);
	return name;
}

/* Return the number of a handler in stp_run_light(), or 0 if it is not light. Equal handlers share a name. */
static unsigned int light_number(struct module_writer *m, const struct derived_probe *probe, const char *handler)
{
	guint index;

	if (needs_charge(m->t, probe) || !is_light_handler(m->t, probe))
		return 0;
	if (!g_ptr_array_find(m->light_handlers, handler, &index)) {
		index = m->light_handlers->len;
		g_ptr_array_add(m->light_handlers, (void *)handler);
	}
	return index < G_MAXUINT16 ? index + 1 : 0;
}

void emit_light_handlers(struct module_writer *m, GString *out)
{
	g_string_append(out, "void stp_run_light(unsigned int light)\n{\n\tswitch (light) {\n");
	for (guint i = 0; i < m->light_handlers->len; i++)
		g_string_append_printf(out, "\tcase %u:\n\t\t%s(STP_NULL);\n\t\tbreak;\n", i + 1,
				       (const char *)g_ptr_array_index(m->light_handlers, i));
	g_string_append(out, "\t}\n}\n\n");
}

/* Limit of direct calls. More comparisons would cost as much as an indirect call, which is slow with mitigations. */
enum { DIRECT_HANDLERS = 6 };

static void note_direct_handler(struct module_writer *m, enum stp_probe_kind kind, const char *handler)
{
	bool is_rare = kind == STP_PROBE_BEGIN || kind == STP_PROBE_END || kind == STP_PROBE_ERROR;

	if (!is_rare && m->direct_handlers->len < DIRECT_HANDLERS &&
	    !g_ptr_array_find(m->direct_handlers, handler, NULL))
		g_ptr_array_add(m->direct_handlers, (void *)handler);
}

void emit_direct_handlers(struct module_writer *m, GString *out)
{
	g_string_append(out, "void stp_run_handler(void (*handler)(struct stp_context *), struct stp_context *c)\n{\n");
	for_each_ptr(const char *, handler, m->direct_handlers)
		g_string_append_printf(out, "\tif (handler == %s) {\n\t\t%s(c);\n\t\treturn;\n\t}\n", handler, handler);
	g_string_append(out, "\thandler(c);\n}\n\n");
}

/* Return the symbol that contains a place in a program, or NULL. In return probes, the caller is unknown. */
static const char *symbol_of_place(const struct derived_probe *probe)
{
	const struct registration *r = &probe->registration;
	const struct function *function = probe->function;
	struct statement_place place = {0};

	if (!r->debuginfo || debuginfo_memory(r->debuginfo) != MEMORY_USER || probe->is_return)
		return NULL;
	if (!function) {
		error_free(debuginfo_statement_at(r->debuginfo, r->address, &place));
		function = place.function;
	}
	if (function && function->is_inlined && function->container)
		function = function->container;
	return function ? function->symbol ?: function->name : NULL;
}

/* Return the number of the stack group for these functions, of which the last two may be NULL. */
static unsigned int stack_group(struct module_writer *m, const char *handler, const char *entry, const char *condition)
{
	const char *key = arena_printf(m->t->arena, "%s %s %s", handler, entry ?: "", condition ?: "");
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(m->stack_groups, key));
	struct stack_group *group;

	if (number)
		return number - 1;
	group = arena_new0(m->t->arena, struct stack_group);
	group->handlers[0] = handler;
	group->handlers[1] = entry ?: condition;
	group->handlers[2] = entry ? condition : NULL;
	g_ptr_array_add(m->t->stack_groups, group);
	g_hash_table_insert(m->stack_groups, (void *)key, GUINT_TO_POINTER(m->t->stack_groups->len));
	return m->t->stack_groups->len - 1;
}

void emit_stack_needs(struct module_writer *m, GString *out)
{
	/*
	 * build/ knows MINSTACKSPACE. It is written here so that modules with different values have different sources.
	 */
	if (!m->t->stack_groups->len)
		g_ptr_array_add(m->t->stack_groups, arena_new0(m->t->arena, struct stack_group));
	g_string_append_printf(out,
			       "static const struct stp_stack_need stack_needs[%u]\n"
			       "\t__attribute__((section(\"" STP_STACK_SECTION "\"))) = {\n"
			       "\t{ .in_event = %u },\n};\n\n",
			       m->t->stack_groups->len, (unsigned int)m->t->limits.min_stack_space);
}

/*
 * Emit where the probe is. The cases exclude each other, so no field is written twice: at most one of by_symbol,
 * is_absolute and debuginfo is set, and probes that exit have none of them.
 */
static void emit_place(struct module_writer *m, GString *out, const struct derived_probe *probe)
{
	const struct registration *r = &probe->registration;
	const char *symbol = NULL;

	if (r->by_symbol) {
		g_string_append_printf(out, " .flags = STP_PROBE_BY_SYMBOL, .symbol = %s,", quoted(m, r->symbol));
	} else if (r->is_absolute) {
		g_string_append_printf(out, " .flags = STP_PROBE_ABSOLUTE, .address = 0x%" G_GINT64_MODIFIER "xUL,",
				       r->address.value);
	} else if (r->exits) {
		g_string_append(out, " .flags = STP_PROBE_ONESHOT,");
	} else if (r->debuginfo) {
		emit_address_fields(m, out, r);
		if (embedded_code_uses(m->t, "stp_probe_symbol"))
			symbol = symbol_of_place(probe);
		if (symbol)
			g_string_append_printf(out, " .symbol = %s,", quoted(m, symbol));
	}
}

static void emit_probe_row(struct module_writer *m, GString *before, GString *out, const struct derived_probe *probe,
			   const char *handler, const char *entry_handler, const char *condition)
{
	const struct registration *r = &probe->registration;
	unsigned int light = light_number(m, probe, handler);
	unsigned int stack = stack_group(m, handler, probe->entry_values->len ? entry_handler : NULL, condition);

	g_string_append_printf(out, "\t{ .handler = %s, .kind = %s, .point = %s, .function = %s,", handler,
			       kind_names[r->kind], quoted(m, probe->point_text), quoted(m, probe->function_name));
	if (light)
		g_string_append_printf(out, " .light = %u,", light);
	else
		note_direct_handler(m, r->kind, handler);
	if (condition)
		g_string_append_printf(out, " .condition = %s,", condition);
	if (stack)
		g_string_append_printf(out, " .stack = %u,", stack);
	if (probe->entry_values->len)
		g_string_append_printf(out, " .entry_handler = %s, .entry_size = %u,", entry_handler,
				       entry_size(m->t, probe));
	emit_place(m, out, probe);
	if (r->maxactive)
		g_string_append_printf(out, " .maxactive = %d,", r->maxactive);
	if (r->interval)
		g_string_append_printf(out, " .interval = %s, .randomize = %s,", c_number(m->t->arena, r->interval),
				       c_number(m->t->arena, r->randomize));
	if ((r->kind == STP_PROBE_UPROBE || r->kind == STP_PROBE_URETPROBE) && handler_restarts(probe))
		g_string_append(out, " .restarts = 1,");
	if (r->details)
		g_string_append_printf(out, " .details = &%s,", emit_details(m, before, r));
	g_string_append(out, " },\n");
	m->needs_registers |= probe->uses_registers;
}

/* Emit the rows of call recorders, after the script's probes, in the order of their numbers. */
static void emit_recorder_row(struct module_writer *m, GString *before, GString *out,
			      const struct call_recorder *recorder)
{
	const struct function *function = recorder->function;
	bool of_program = debuginfo_memory(function->debuginfo) == MEMORY_USER;
	struct registration registration = {
		.kind = of_program ? STP_PROBE_UPROBE : STP_PROBE_CALLS,
		.address = function->start,
		.debuginfo = function->debuginfo,
		.has_fentry = function->has_fentry,
		.fentry = function->fentry,
	};

	if (of_program)
		debuginfo_file_offset(function->debuginfo, function->start.value, &registration.file_offset);
	g_string_append_printf(out, "\t{ .kind = %s, .point = %s, .function = %s,", kind_names[registration.kind],
			       quoted(m, recorder->text), quoted(m, function->name));
	if (of_program)
		g_string_append(out, " .flags = STP_PROBE_RECORDS,");
	if (recorder->details)
		g_string_append_printf(out, " .details = &%s,",
				       emit_details(m, before, &(struct registration){.details = recorder->details}));
	emit_address_fields(m, out, &registration);
	g_string_append(out, " },\n");
}

/* Emit the row of an unwinder, after the script's probes and before the recorders, which are counted from the end. */
static void emit_unwinder_row(struct module_writer *m, GString *before, GString *out, const struct unwinder *unwinder)
{
	static const struct stp_details target = {.of_target = 1};
	struct registration registration = {
		.kind = STP_PROBE_UPROBE,
		.address = unwinder->address,
		.debuginfo = unwinder->debuginfo,
	};

	debuginfo_file_offset(unwinder->debuginfo, unwinder->address.value, &registration.file_offset);
	g_string_append_printf(out, "\t{ .kind = STP_PROBE_UPROBE, .point = %s, .function = %s, .flags = %s,",
			       quoted(m, unwinder->name), quoted(m, unwinder->name),
			       unwinder->ends ? "STP_PROBE_CATCHES" : "STP_PROBE_THROWS");
	/* With -c or -x, arm it only in the target process. */
	if (options_have_target(m->t->options))
		g_string_append_printf(out, " .details = &%s,",
				       emit_details(m, before, &(struct registration){.details = &target}));
	emit_address_fields(m, out, &registration);
	g_string_append(out, " },\n");
}

GString *emit_probes(struct module_writer *m)
{
	g_autoptr(GString) table = g_string_new("static const struct stp_probe probes[] = {\n");
	GString *ret = g_string_new(NULL);

	for_each_ptr(const struct derived_probe *, probe, m->t->probes) {
		const char *entry_handler = emit_entry_handler(m, probe);
		const char *condition = emit_condition(m, probe);

		emit_probe_row(m, ret, table, probe, emit_handler(m, probe), entry_handler, condition);
	}
	for_each_ptr(const struct unwinder *, unwinder, m->t->used_unwinders)
		emit_unwinder_row(m, ret, table, unwinder);
	for_each_ptr(const struct call_recorder *, recorder, m->t->used_recorders)
		emit_recorder_row(m, ret, table, recorder);
	g_string_append(table, "};\n\n");
	if (m->t->used_recorders->len)
		g_string_append_printf(table, "static void *recorders[%u];\n\n", m->t->used_recorders->len);
	g_string_append_len(ret, table->str, table->len);
	return ret;
}

/* Emit the places of probes in the script, for the report of -t. */
void emit_origins(struct module_writer *m, GString *out)
{
	if (!m->t->options->timing)
		return;
	g_string_append(out, "static const struct stp_probe_origin origins[] = {\n");
	for_each_ptr(const struct derived_probe *, probe, m->t->probes) {
		const struct location *at = &probe->origin->location;

		if (probe->derivation && at->file)
			g_string_append_printf(
				out, "\t{ %s, %s },\n",
				quoted(m, arena_printf(m->t->arena, "%s:%d:%d", at->file->name, at->line, at->column)),
				quoted(m, probe->derivation));
		else
			g_string_append(out, "\t{ 0 },\n");
	}
	for (guint i = 0; i < m->t->used_unwinders->len + m->t->used_recorders->len; i++)
		g_string_append(out, "\t{ 0 },\n");
	g_string_append(out, "};\n\n");
}

/* Does the script call pn()? */
bool wants_names(const struct module_writer *m)
{
	return embedded_code_uses(m->t, "stp_probe_name");
}

void emit_names(struct module_writer *m, GString *out)
{
	if (!wants_names(m))
		return;
	g_string_append(out, "static const char *const names[] = {\n");
	for_each_ptr(const struct derived_probe *, probe, m->t->probes)
		g_string_append_printf(out, "\t%s,\n", quoted(m, probe->name ?: probe->point_text));
	g_string_append(out, "};\n\n");
}

/* ---- targets ----------------------------------------------------------------------------------------------------- */

/* Include a table from the cache. Its name contains the build-id of its file, so its content never changes. */
static void emit_table_file(struct module_writer *m, GString *out, const char *path, const char *name)
{
	g_string_append_printf(out,
			       "asm(\".pushsection .rodata,\\\"a\\\"\\n.balign 8\\n%s:\\n\"\n"
			       "    \".incbin \\\"\" %s \"\\\", %d\\n.popsection\");\n"
			       "extern const unsigned char %s[] __attribute__((visibility(\"hidden\")));\n\n",
			       name, quoted(m, path), CACHE_HEAD_LENGTH, name);
}

/* Return the C name of a module's line table, which contains the number of the first target that has it. */
static const char *lines_name(struct module_writer *m, const struct target *target)
{
	for (guint i = 0; target->lines && i < m->t->targets->len; i++) {
		const struct target *other = g_ptr_array_index(m->t->targets, i);

		if (other->lines && !strcmp(other->lines, target->lines))
			return arena_printf(m->t->arena, "source_lines_%u", i);
	}
	return NULL;
}

void emit_lines(struct module_writer *m, GString *out)
{
	g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);

	if (m->t->kernel_lines)
		emit_table_file(m, out, m->t->kernel_lines, "source_lines");
	for_each_ptr(const struct target *, target, m->t->targets) {
		if (target->lines && g_hash_table_add(done, (void *)target->lines))
			emit_table_file(m, out, target->lines, lines_name(m, target));
	}
}

/* ---- programs and libraries for stacks --------------------------------------------------------------------------- */

void emit_user_objects(struct module_writer *m, GString *out)
{
	const GPtrArray *objects = m->t->user_objects;

	for (guint i = 0; i < objects->len; i++) {
		const struct object_table *object = g_ptr_array_index(objects, i);

		emit_table_file(m, out, object->table, arena_printf(m->t->arena, "object_table_%u", i));
	}
	g_string_append(out, "static const struct stp_user_object user_objects[] = {\n");
	for (guint i = 0; i < objects->len; i++) {
		const struct object_table *object = g_ptr_array_index(objects, i);

		g_string_append_printf(out, "\t{ .path = %s, .table = object_table_%u },\n", quoted(m, object->path),
				       i);
	}
	g_string_append(out, "};\n\n");
}

/* ---- targets, for staprun as well -------------------------------------------------------------------------------- */

static const struct {
	const char *constant, *word; /* in C, and in .spile.info */
} target_kinds[STP_TARGET_KIND_COUNT_] = {
#define KIND(name, word) [STP_TARGET_##name] = {"STP_TARGET_" #name, word},
	STP_TARGET_KINDS(KIND)
#undef KIND
};

static void emit_target(struct module_writer *m, GString *out, const struct target *target)
{
	const struct user_object *object = target->debuginfo ? debuginfo_user_object(target->debuginfo) : NULL;

	g_string_append_printf(out, "\t{ .kind = %s, .name = %s, .section = %s, .build_id = %s,",
			       target_kinds[target->kind].constant, quoted(m, target->name), quoted(m, target->section),
			       quoted(m, target->build_id));
	if (object)
		g_string_append_printf(out,
				       " .id_address = 0x%" G_GINT64_MODIFIER "xUL, .id_offset = 0x%" G_GINT64_MODIFIER
				       "xUL, .first_code = 0x%" G_GINT64_MODIFIER "xUL,",
				       object->id_address, object->id_offset, object->first_code);
	if (target->any_place)
		g_string_append(out, " .any_place = 1,");
	if (target->anchor)
		g_string_append_printf(out, " .anchor = %s, .anchor_offset = 0x%" G_GINT64_MODIFIER "xUL,",
				       quoted(m, target->anchor), target->anchor_offset);
	if (target->lines)
		g_string_append_printf(out, " .lines = %s, .lines_section = %u,", lines_name(m, target),
				       target->lines_section);
	g_string_append(out, " },\n");
}

void emit_targets(struct module_writer *m, GString *out)
{
	g_string_append(out, "static const struct stp_target targets[] = {\n");
	for_each_ptr(const struct target *, target, m->t->targets)
		emit_target(m, out, target);
	g_string_append(out, "};\n\n");
}

static void emit_info_string(struct module_writer *m, GString *out, const char *key, const char *value)
{
	g_string_append_printf(out, "\t\t%s \"\\0\"\n", quoted(m, arena_printf(m->t->arena, "%s=%s", key, value)));
}

/* Emit the description of a global that staprun can set, for staprun -h. */
static void emit_info_global(struct module_writer *m, GString *out, const struct symbol *global)
{
	const struct expr *initial = global->initializer;
	bool is_string = global->type == TYPE_STRING;
	const char *number = arena_printf(m->t->arena, "%" G_GINT64_FORMAT, initial ? initial->number : 0);

	emit_info_string(m, out, "global", global->name);
	emit_info_string(m, out, "global-type", is_string ? "string" : "long");
	emit_info_string(m, out, "global-value", !is_string ? number : initial ? initial->text : "");
}

static void emit_info_number(struct module_writer *m, GString *out, const char *key, int64_t number)
{
	emit_info_string(m, out, key, arena_printf(m->t->arena, "%" G_GINT64_FORMAT, number));
}

/* Emit an option of the script, for the --help and the command line of bundles. Its default is the value given here. */
static void emit_info_option(struct module_writer *m, GString *out, const struct declared_option *declared)
{
	const struct script_option *option = &declared->option;
	bool is_number = script_option_is_number(option->kind);

	emit_info_string(m, out, "option", option->name);
	emit_info_string(m, out, "option-kind", script_option_macro(option->kind));
	if (option->global)
		emit_info_string(m, out, "option-global", option->global);
	if (is_number) {
		emit_info_number(m, out, "option-number", declared->is_given ? declared->number : option->standard);
		emit_info_number(m, out, "option-least", option->least);
		emit_info_number(m, out, "option-most", option->most);
	} else {
		emit_info_string(m, out, "option-text", declared->is_given ? declared->text : option->standard_text);
	}
	if (option->choices)
		emit_info_string(m, out, "option-choices", option->choices);
	emit_info_string(m, out, "option-help", option->help);
}

/* A global that the module does not have, because the script does not use it, cannot be set. */
static bool option_is_usable(const struct module_writer *m, const struct script_option *option)
{
	if (!option->global)
		return true;
	for_each_ptr(const struct symbol *, global, m->t->globals)
		if (is_settable(global) && !strcmp(global->name, option->global))
			return true;
	return false;
}

/* Append a word to a command line, quoted for a shell if needed. */
static void append_word(GString *text, const char *word)
{
	bool is_plain =
		*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") ==
				 strlen(word);
	g_autofree char *quoted = is_plain ? NULL : g_shell_quote(word);

	g_string_append(text, text->len ? " " : "");
	for (const char *c = quoted ?: word; *c; c++)
		if (g_ascii_iscntrl(*c))
			g_string_append_printf(text, "\\%03o", *c);
		else
			g_string_append_c(text, *c);
}

static const char *words_text(struct module_writer *m, char **words, int count)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < count; i++)
		append_word(text, words[i]);
	return arena_strdup(m->t->arena, text->str);
}

static const char *options_text(struct module_writer *m)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const char *, option, m->t->options->shaping) {
		const char *space = option[1] == '-' ? NULL : strchr(option, ' ');

		append_word(text, space ? arena_strndup(m->t->arena, option, space - option) : option);
		if (space)
			append_word(text, space + 1);
	}
	return arena_strdup(m->t->arena, text->str);
}

/* Return the build-id against which addresses were computed, for staprun to compare. */
static const char *target_text(struct module_writer *m, const struct target *target)
{
	const char *word = target_kinds[target->kind].word;
	bool has_name = *target->name && strcmp(target->name, word);

	return arena_printf(m->t->arena, "%s%s%s %s", word, has_name ? " " : "", has_name ? target->name : "",
			    target->build_id);
}

/*
 * Emit the fields for modinfo(8) and staprun -h: --modinfo, and the module's origin. The build time is only a
 * placeholder, which build.c fills in: the same source must give the same module of the cache at any time.
 */
static void emit_modinfo(struct module_writer *m, GString *out)
{
	const struct source_file *script = ((const struct script *)g_ptr_array_index(m->t->scripts, 0))->file;
	const struct language_context *language = &m->t->language;
	g_autofree char *digest =
		g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)script->text, script->length);
	char *name[] = {(char *)script->name};

	g_string_append(out,
			"static const char modinfo[] __attribute__((section(\".modinfo\"), used, aligned(1))) =\n");
	for_each_ptr(const char *, text, m->t->options->module_info)
		g_string_append_printf(out, "\t\t%s \"\\0\"\n", quoted(m, text));
	emit_info_string(m, out, "spile_script", words_text(m, name, 1));
	emit_info_string(m, out, "spile_digest", arena_printf(m->t->arena, "sha256 %s", digest));
	emit_info_string(m, out, "spile_options", options_text(m));
	emit_info_string(m, out, "spile_arguments", words_text(m, language->arguments, language->argument_count));
	emit_info_string(m, out, "spile_kernel", m->t->kernel.release ?: "");
	for_each_ptr(const struct target *, target, m->t->targets)
		if (*target->build_id)
			emit_info_string(m, out, "spile_build_id", target_text(m, target));
	emit_info_string(m, out, "spile_privilege", language->privilege);
	emit_info_string(m, out, "spile_version", PACKAGE_VERSION);
	/* The NUL of the C string ends it. */
	g_string_append_printf(out, "\t\t%s;\n", quoted(m, MODULE_TIME_PLACE));
}

/* Add a path to the programs that the guest needs (run/guest_files.c), each once. */
static void emit_info_program(struct module_writer *m, GString *out, GHashTable *paths, const char *path)
{
	if (g_hash_table_contains(paths, path))
		return;
	g_hash_table_add(paths, (void *)path);
	emit_info_string(m, out, "program", path);
}

/* Emit the names of programs and libraries that the script probes. */
static void emit_info_programs(struct module_writer *m, GString *out)
{
	g_autoptr(GHashTable) paths = g_hash_table_new(g_str_hash, g_str_equal);

	for_each_ptr(const struct target *, target, m->t->targets)
		if (target->kind == STP_TARGET_EXECUTABLE || target->kind == STP_TARGET_LIBRARY)
			emit_info_program(m, out, paths, target->name);
	for_each_ptr(const struct derived_probe *, probe, m->t->probes)
		if (probe->registration.details && probe->registration.details->program)
			emit_info_program(m, out, paths, probe->registration.details->program);
}

/*
 * Emit the section that staprun reads before it loads the module: NUL-terminated "key=value" strings, as in .modinfo.
 * "target=KIND" begins a target. Its name, section and build-id follow in separate strings, so that they may contain
 * any character.
 */
void emit_info(struct module_writer *m, GString *out)
{
	const struct source_file *script = ((const struct script *)g_ptr_array_index(m->t->scripts, 0))->file;

	g_string_append(out, "static const char info[] __attribute__((section(\".spile.info\"), used)) =\n");
	emit_info_string(m, out, "release", m->t->kernel.release ?: "");
	if (strcmp(m->t->language.privilege, "stapdev"))
		emit_info_string(m, out, "privilege", m->t->language.privilege);
	if (m->t->options->bulk)
		emit_info_string(m, out, "bulk", "1");
	if (embedded_code_uses(m->t, "stp_system"))
		emit_info_string(m, out, "commands", "1");
	if (wants_user_stacks(m->t))
		emit_info_string(m, out, "objects", "1");
	for_each_ptr(const struct target *, target, m->t->targets) {
		emit_info_string(m, out, "target", target_kinds[target->kind].word);
		emit_info_string(m, out, "target-name", target->name);
		if (*target->section)
			emit_info_string(m, out, "target-section", target->section);
		emit_info_string(m, out, "target-build-id", target->build_id);
	}
	emit_info_programs(m, out);
	for_each_ptr(const char *, line_text, script_purpose(m->t->arena, script->text))
		emit_info_string(m, out, "purpose", line_text);
	for_each_ptr(const struct declared_option *, declared, m->t->language.script_options)
		if (option_is_usable(m, &declared->option))
			emit_info_option(m, out, declared);
	for_each_ptr(const struct symbol *, global, m->t->globals)
		if (is_settable(global))
			emit_info_global(m, out, global);
	g_string_append(out, "\t;\n\n");
	emit_modinfo(m, out);
}
