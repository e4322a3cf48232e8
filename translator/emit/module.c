// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emit the C file as a whole: its parts in order, and the script's table (struct stp_script).
 */
#include "translator/emit/call_cache.h"
#include "translator/emit/condition.h"
#include "translator/emit/embedded.h"
#include "translator/emit/emit.h"
#include "translator/emit/module.h"
#include "translator/sema/regex.h"
#include "translator/sema/sema.h"

const char *quoted(struct module_writer *m, const char *text)
{
	return c_string(m->t->arena, text, strlen(text));
}

unsigned int module_global(struct module_writer *m, const struct symbol *global)
{
	guint index = 0;

	g_ptr_array_find(m->t->globals, global, &index);
	return index;
}

/* Return the number of nodes of the largest regular expression; at least 1, so that matched() can report an error. */
static unsigned int match_nodes(const struct translation *t)
{
	unsigned int most = wants_regex_groups(t);

	for_each_ptr(const struct compiled_regex *, regex, t->regexes)
		most = MAX(most, regex->tables->node_count);
	return most;
}

/* Does the script use stacks as strings of addresses? */
static bool shows_addresses(const struct translation *t)
{
	static const char *const functions[] = {"stp_backtrace", "stp_callers", "stp_task_backtrace",
						"stp_user_stack_text"};

	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
		if (embedded_code_uses(t, functions[i]))
			return true;
	return false;
}

/* Does the script call functions that need the registers that ftrace does not save by default? */
static bool shows_registers(const struct translation *t)
{
	return embedded_code_uses(t, "stp_named_register") || embedded_code_uses(t, "stp_print_registers") ||
	       users_code_contains(t, "kregs") || users_code_contains(t, "k_fetch_register") ||
	       users_code_contains(t, "k_store_register") || users_code_contains(t, "->regs");
}

/*
 * Emit the limit of memory, which always exists below stapdev. The default is the largest that can be set. Then an
 * allowance per CPU for contexts and output is added, since the number of CPUs is not known here.
 */
static void emit_memory(const struct module_writer *m, GString *out)
{
	enum { STANDARD_PER_PROCESSOR = 2048 }; /* kilobytes */
	int64_t most = m->t->limits.max_memory;
	enum privilege privilege = privilege_of(m->t);

	if (!most && privilege != PRIVILEGE_STAPDEV) {
		most = limit_highest("STP_MAXMEMORY", privilege);
		g_string_append_printf(out, "\t.max_memory_per_cpu = %d,\n", STANDARD_PER_PROCESSOR);
	}
	g_string_append_printf(out, "\t.max_memory = %u,\n", (unsigned int)most);
}

/*
 * Arrays without a size of their own have MAXMAPENTRIES elements. In D, that is the least number, unless the program
 * sets the size.
 */
static void emit_map_sizes(const struct script_limits *limits, GString *out)
{
	enum { ARRAY_BYTES = 1 << 20, AGGREGATION_BYTES = 4 << 20 };
	const int64_t array_bytes = limits->array_bytes ?: limits->drops_elements ? ARRAY_BYTES : 0;
	const int64_t aggregation_bytes = limits->aggregation_bytes || !limits->drops_elements ? 0 : AGGREGATION_BYTES;

	g_string_append_printf(out, "\t.arrays = {.bytes = %" G_GINT64_FORMAT ", .least = %u},\n", array_bytes,
			       limits->array_bytes ? 1 : (unsigned int)limits->max_map_entries);
	g_string_append_printf(out,
			       "\t.aggregations = {.bytes = %" G_GINT64_FORMAT ", .bytes_per_cpu = %" G_GINT64_FORMAT
			       ", .least = %u},\n",
			       aggregation_bytes, limits->aggregation_bytes,
			       limits->aggregation_bytes ? 1 : (unsigned int)limits->max_map_entries);
	g_string_append_printf(out, "\t.drops_elements = %d,\n", (int)limits->drops_elements);
}

static void emit_script_table(struct module_writer *m, GString *out)
{
	const struct script_limits *limits = &m->t->limits;
	const struct script *first = g_ptr_array_index(m->t->scripts, 0);

	g_string_append(out, "const struct stp_script stp_script = {\n\t.layout = STP_LAYOUT_VERSION,\n");
	g_string_append_printf(out, "\t.source_name = %s,\n", quoted(m, first->file->name));
	g_string_append_printf(out, "\t.probes = probes,\n\t.probe_count = %u,\n",
			       m->t->probes->len + m->t->used_unwinders->len + m->t->used_recorders->len);
	if (m->t->used_recorders->len)
		g_string_append_printf(out, "\t.recorders = recorders,\n\t.recorder_count = %u,\n",
				       m->t->used_recorders->len);
	g_string_append_printf(out, "\t.targets = targets,\n\t.target_count = %u,\n", m->t->targets->len);
	g_string_append_printf(out, "\t.globals = globals,\n\t.global_count = %u,\n", m->t->globals->len);
	g_string_append_printf(out, "\t.anchor = 0x%" G_GINT64_MODIFIER "xUL,\n", m->t->printk_address);
	g_string_append_printf(out, "\t.current_kprobe = 0x%" G_GINT64_MODIFIER "xUL,\n", m->t->current_kprobe_address);
	g_string_append_printf(out, "\t.string_size = STRING_SIZE,\n\t.frame_size = %u,\n", m->deepest);
	emit_map_sizes(limits, out);
	g_string_append_printf(out, "\t.max_action = %u,\n\t.max_action_session = %u,\n",
			       (unsigned int)limits->max_action, (unsigned int)limits->max_action_interruptible);
	g_string_append_printf(out, "\t.max_nesting = %u,\n\t.max_errors = %d,\n\t.max_skipped = %d,\n",
			       (unsigned int)limits->max_nesting, (int)limits->max_errors,
			       m->t->options->suppress_handler_errors ? -1 : (int)limits->max_skipped);
	g_string_append_printf(out, "\t.max_trylock = %u,\n\t.trylock_delay = %u,\n", (unsigned int)limits->max_trylock,
			       (unsigned int)limits->trylock_delay);
	g_string_append_printf(out,
			       "\t.overload_interval = %" G_GINT64_FORMAT
			       "ULL,\n\t.overload_threshold = %" G_GINT64_FORMAT "ULL,\n",
			       limits->no_overload ? 0 : limits->overload_interval, limits->overload_threshold);
	g_string_append_printf(out, "\t.hist_elision = %d,\n", (int)limits->hist_elision);
	g_string_append_printf(out,
			       "\t.stack_needs = stack_needs,\n\t.max_backtrace = %u,\n\t.map_hash_bias = %d,\n"
			       "\t.masks_interrupts = %d,\n",
			       (unsigned int)limits->max_backtrace, (int)limits->map_hash_bias, !limits->interruptible);
	emit_memory(m, out);
	g_string_append_printf(out, "\t.timing_nsecs = %d,\n", (int)limits->timing_nsecs);
	g_string_append_printf(out, "\t.fail_allocation = %u,\n", (unsigned int)limits->fail_allocation);
	g_string_append_printf(out, "\t.buffer_bytes = %u,\n", (unsigned int)limits->buffer_megabytes << 20);
	g_string_append_printf(out, "\t.buffer_policy = %d,\n", (int)limits->buffer_policy);
	if (m->t->options->timing)
		g_string_append(out, "\t.origins = origins,\n");
	if (wants_names(m))
		g_string_append(out, "\t.names = names,\n");
	if (m->t->kernel_lines)
		g_string_append(out, "\t.lines = source_lines,\n");
	if (wants_user_stacks(m->t))
		g_string_append_printf(out,
				       "\t.user_stacks = &stp_user_stacks,\n\t.user_objects = user_objects,\n"
				       "\t.user_object_count = %u,\n\t.user_lines = %d,\n",
				       m->t->user_objects->len, wants_user_lines(m->t));
	g_string_append_printf(out, "\t.keeps_tokens = %d,\n", embedded_code_uses(m->t, "stp_tokenize"));
	g_string_append_printf(out, "\t.keeps_commands = %d,\n", embedded_code_uses(m->t, "stp_system"));
	g_string_append_printf(out, "\t.keeps_addresses = %d,\n", shows_addresses(m->t));
	g_string_append_printf(out, "\t.keeps_scratch = %d,\n", embedded_code_uses(m->t, "stp_scratch"));
	g_string_append_printf(out, "\t.match_nodes = %u,\n", match_nodes(m->t));
	g_string_append_printf(out, "\t.is_restricted = %d,\n", !strcmp(m->t->language.privilege, "stapusr"));
	emit_hook_members(m->t, out);
	g_string_append_printf(out, "\t.needs_registers = %d,\n\t.suppress_errors = %d,\n};\n",
			       m->needs_registers || shows_registers(m->t), m->t->options->suppress_handler_errors);
}

static void emit_head(struct module_writer *m, GString *out)
{
	g_string_append(out, "/* Generated by Spile's stap. */\n");
	for_each_ptr(const char *, definition, m->t->options->c_definitions)
		g_string_append_printf(out, "#define %s\n", definition);
	emit_embedded_headers(m->t, out);
	g_string_append(out, "#include \"runtime/script/script.h\"\n\n");
	g_string_append_printf(out, "#define STP_SKIP_BADVARS %d\n", m->t->options->skip_bad_variables);
	g_string_append_printf(out, "#define STRING_SIZE %u\n#define MAXSTRINGLEN STRING_SIZE\n",
			       (unsigned int)m->t->limits.max_string_length);
	if (m->t->output_format)
		g_string_append_printf(out, "#define MAXTRACKS %u\n", (unsigned int)m->t->limits.max_tracks);
	emit_embedded_prelude(m->t, out);
}

void emit_module(struct translation *t)
{
	g_autoptr(GHashTable) bodies = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) details = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) places = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) frames = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) stack_groups = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) begun = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) prototypes = g_string_new(NULL);
	g_autoptr(GString) code = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GString) table = NULL;
	struct module_writer m = {
		.t = t,
		.bodies = bodies,
		.light_handlers = arena_ptr_array(t->arena),
		.direct_handlers = arena_ptr_array(t->arena),
		.begun = begun,
		.details = details,
		.places = places,
		.frames = frames,
		.stack_groups = stack_groups,
		.stable = find_stable_functions(t),
		.prototypes = prototypes,
		.code = code,
	};

	note_conditions(t);
	if (!t->limits.max_nesting)
		t->limits.max_nesting = MIN(wanted_nesting(t), limit_highest("MAXNESTING", privilege_of(t)));
	t->c_functions = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->c_functions);
	t->stack_groups = arena_ptr_array(t->arena);
	emit_functions(&m);
	table = emit_probes(&m);
	emit_head(&m, out);
	emit_globals(&m, out);
	emit_embedded_globals(t, out);
	for_each_ptr(const struct compiled_regex *, regex, t->regexes)
		regex_print(out, regex->tables, regex->unique_name);
	emit_kept_type(m.stable, out);
	g_string_append_len(out, prototypes->str, prototypes->len);
	g_string_append_c(out, '\n');
	g_string_append_len(out, code->str, code->len);
	emit_light_handlers(&m, out);
	emit_direct_handlers(&m, out);
	g_string_append_len(out, table->str, table->len);
	emit_stack_needs(&m, out);
	emit_origins(&m, out);
	emit_names(&m, out);
	emit_lines(&m, out);
	if (wants_user_stacks(t))
		emit_user_objects(&m, out);
	emit_targets(&m, out);
	emit_info(&m, out);
	emit_hooks(t, out);
	emit_script_table(&m, out);
	emit_embedded_suffix(t, out);
	t->c_text = arena_strndup(t->arena, out->str, out->len);
}
