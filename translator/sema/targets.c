// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Targets: list the objects that the script's addresses are relative to, before pass 3 needs their numbers.
 *
 * Every address that a handler, a condition or the arming of a probe uses is in some object: the kernel, a section of a
 * module, a program or library. Each becomes a row of the runtime's table, with the facts for finding it in memory. If
 * a script asks for source lines, its module contains the line tables of the kernel, of the modules that the script
 * uses, and of those that -d names.
 */
#include "translator/sema/sema.h"

#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/probes/unwinders.h"

struct plan {
	struct translation *t;
	bool uses_addresses; /* of the kernel or its modules */
};

static enum stp_target_kind target_kind(const struct debuginfo *debuginfo)
{
	switch (debuginfo_kind(debuginfo)) {
	case OBJECT_KERNEL:
		return STP_TARGET_KERNEL;
	case OBJECT_MODULE:
		return STP_TARGET_MODULE;
	case OBJECT_LIBRARY:
		return STP_TARGET_LIBRARY;
	default:
		return STP_TARGET_EXECUTABLE;
	}
}

/* Different builds of a program may have the same path. */
static struct target *find_target(const struct translation *t, enum stp_target_kind kind, const char *name,
				  const char *section, const char *build_id, unsigned int *number)
{
	for (guint i = 0; i < t->targets->len; i++) {
		struct target *target = g_ptr_array_index(t->targets, i);

		*number = i;
		if (target->kind == kind && !strcmp(target->name, name) && !strcmp(target->section, section) &&
		    (kind == STP_TARGET_KERNEL || kind == STP_TARGET_MODULE || !strcmp(target->build_id, build_id)))
			return target;
	}
	return NULL;
}

static const char *object_name(const struct debuginfo *debuginfo)
{
	const struct user_object *object = debuginfo_user_object(debuginfo);

	return object ? object->path : debuginfo_module_name(debuginfo);
}

static struct target *new_target(struct translation *t, enum stp_target_kind kind, const char *name,
				 const char *section, const char *build_id)
{
	struct target *target = arena_new0(t->arena, struct target);

	target->kind = kind;
	target->name = name;
	target->section = section;
	target->build_id = build_id;
	g_ptr_array_add(t->targets, target);
	return target;
}

static struct target *note_target(struct plan *plan, struct debuginfo *debuginfo, const char *section)
{
	enum stp_target_kind kind = target_kind(debuginfo);
	const char *name = object_name(debuginfo), *build_id = debuginfo_build_id(debuginfo);
	unsigned int number;
	struct target *target = find_target(plan->t, kind, name, section ?: "", build_id, &number);

	target = target ?: new_target(plan->t, kind, name, section ?: "", build_id);
	target->debuginfo = debuginfo;
	target->any_place = debuginfo_user_object(debuginfo) && g_hash_table_contains(plan->t->builds, build_id);
	plan->uses_addresses |= kind == STP_TARGET_KERNEL || kind == STP_TARGET_MODULE;
	return target;
}

unsigned int target_number(const struct translation *t, const struct debuginfo *debuginfo, const char *section)
{
	unsigned int number = 0;

	find_target(t, target_kind(debuginfo), object_name(debuginfo), section ?: "", debuginfo_build_id(debuginfo),
		    &number);
	return number;
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static void note_recorder(struct translation *t, struct call_recorder *recorder)
{
	if (recorder->number)
		return;
	g_ptr_array_add(t->used_recorders, recorder);
	recorder->number = t->used_recorders->len;
}

static void note_expr(struct expr **expr, void *data)
{
	struct plan *plan = data;
	const struct expr *e = *expr;

	if (e->kind == EXPR_ADDRESS || e->kind == EXPR_THREAD_POINTER)
		note_target(plan, e->object, e->text);
	else if (e->kind == EXPR_ENTRY_REGISTER || e->kind == EXPR_ENTRY_KNOWN)
		note_recorder(plan->t, e->recorder);
}

static void note_registration(struct plan *plan, const struct registration *r)
{
	const struct address *address = r->kind == STP_PROBE_TRACEPOINT ? &r->tracepoint : &r->address;

	if (r->debuginfo)
		note_target(plan, r->debuginfo, address->section);
}

/*
 * If a return probe uses the kernel's trampoline, the unwinders of all probed programs are needed, unless the runtime
 * could not restore return addresses anyway (find_exits()).
 */
static void note_unwinders(struct plan *plan)
{
	bool any = false;

	if (!plan->t->kernel.abi->return_address_size)
		return;
	for_each_ptr(const struct derived_probe *, probe, plan->t->probes)
		any |= probe->registration.kind == STP_PROBE_URETPROBE && !probe->registration.return_exits;
	for (guint i = 0; any && i < plan->t->probes->len; i++) {
		const struct derived_probe *probe = g_ptr_array_index(plan->t->probes, i);
		struct debuginfo *debuginfo = probe->registration.debuginfo;

		if (debuginfo && debuginfo_memory(debuginfo) == MEMORY_USER)
			find_unwinders(plan->t, debuginfo, plan->t->used_unwinders);
	}
	for_each_ptr(const struct unwinder *, unwinder, plan->t->used_unwinders)
		note_target(plan, unwinder->debuginfo, NULL);
}

static void note_probe(struct plan *plan, struct derived_probe *probe)
{
	for (guint i = 0; i < probe->entry_values->len; i++)
		expr_walk((struct expr **)&probe->entry_values->pdata[i], note_expr, plan);
	statement_walk(probe->body, note_expr, plan);
	if (probe->guard)
		expr_walk(&probe->guard, note_expr, plan);
	note_registration(plan, &probe->registration);
}

/* ---- source lines ------------------------------------------------------------------------------------------------ */

static bool wants_lines(const struct translation *t)
{
	return embedded_code_uses(t, "stp_source_line") || embedded_code_uses(t, "stp_print_backtrace_lines");
}

static void warn_no_lines(struct translation *t, const struct debuginfo *debuginfo, const char *module,
			  const struct error *error)
{
	if (debuginfo && debuginfo_kind(debuginfo) == OBJECT_KERNEL)
		diagnose(t->diagnostics, WARNING, &(struct location){0},
			 _("cannot find the source lines of the kernel: addresses are shown instead"));
	else
		diagnose(t->diagnostics, WARNING, &(struct location){0},
			 _("cannot find the source lines of module %s: addresses are shown instead"), module);
	diagnose_hint(t->diagnostics, "%s",
		      error ? error->message : _("install the kernel's debug symbols (DWARF); see stap-prep(1)"));
}

/* Return the file with a module's line table. If it cannot be made, return NULL, with a warning if @warn. */
static const char *line_table(struct plan *plan, const char *module, bool warn, struct debuginfo **debuginfo,
			      GPtrArray *sections)
{
	const char *path = NULL;
	struct error *error;

	*debuginfo = NULL;
	error = translation_debuginfo(plan->t, module, debuginfo);
	error = error ?: debuginfo_line_table(*debuginfo, &path, sections);
	if (!path && warn)
		warn_no_lines(plan->t, *debuginfo, module, error);
	error_free(error);
	return path;
}

/* Add a module's line table. Each section with lines becomes a target, so that the runtime locates it. */
static void plan_module_lines(struct plan *plan, const char *module, bool warn)
{
	g_autoptr(GPtrArray) sections = g_ptr_array_new();
	struct debuginfo *debuginfo;
	const char *path = line_table(plan, module, warn, &debuginfo, sections);

	for (guint i = 0; path && i < sections->len; i++) {
		struct target *target = note_target(plan, debuginfo, sections->pdata[i]);

		target->lines = path;
		target->lines_section = i;
	}
}

/* Add the line tables of the kernel, of the modules of -d, and of those that are targets already. */
static void plan_lines(struct plan *plan)
{
	g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) sections = g_ptr_array_new();
	struct translation *t = plan->t;
	guint targets = t->targets->len;
	struct debuginfo *kernel;

	t->kernel_lines = line_table(plan, "kernel", true, &kernel, sections);
	plan->uses_addresses |= t->kernel_lines != NULL;
	for_each_ptr(const char *, module, t->line_modules) {
		if (!names_program(t, module) &&
		    g_hash_table_add(done, (void *)debuginfo_module_spelling(t->arena, module)))
			plan_module_lines(plan, module, true);
	}
	for (guint i = 0; i < targets; i++) {
		const struct target *target = g_ptr_array_index(t->targets, i);

		if (target->kind == STP_TARGET_MODULE && g_hash_table_add(done, (void *)target->name))
			plan_module_lines(plan, target->name, false);
	}
}

/* ---- locating them at run time ----------------------------------------------------------------------------------- */

/* Return the link-time address of a kernel symbol, or 0. */
static uint64_t kernel_symbol(struct translation *t, const char *name)
{
	struct debuginfo *debuginfo;
	struct address address = {0};
	struct error *error = translation_debuginfo(t, "kernel", &debuginfo);

	error = error ?: debuginfo_symbol_address(debuginfo, name, &address);
	error_free(error);
	return address.value;
}

/* Find a symbol in each module's section. Without it, the module must be loaded before the script starts. */
static void find_anchors(struct translation *t)
{
	for_each_ptr(struct target *, target, t->targets) {
		if (target->kind == STP_TARGET_MODULE)
			error_free(debuginfo_anchor(target->debuginfo, target->section, &target->anchor,
						    &target->anchor_offset));
	}
}

/* Add target 0, the kernel, even if unused. Open its debuginfo: a digest may be the only source of the build-id. */
static void add_kernel(struct translation *t)
{
	struct debuginfo *kernel = g_hash_table_lookup(t->open_debuginfo, "kernel");
	struct target *target;

	if (!kernel && t->kernel.build_id)
		error_free(translation_debuginfo(t, "kernel", &kernel));
	target = new_target(t, STP_TARGET_KERNEL, "kernel", "",
			    kernel ? debuginfo_build_id(kernel) : t->kernel.build_id ?: "");
	target->debuginfo = kernel;
}

void plan_targets(struct translation *t)
{
	struct plan plan = {.t = t};

	t->targets = arena_ptr_array(t->arena);
	t->used_recorders = arena_ptr_array(t->arena);
	t->used_unwinders = arena_ptr_array(t->arena);
	add_kernel(t);
	for_each_ptr(struct function_declaration *, function, t->functions)
		statement_walk(function->body, note_expr, &plan);
	for_each_ptr(struct derived_probe *, probe, t->probes)
		note_probe(&plan, probe);
	for_each_ptr(const struct call_recorder *, recorder, t->used_recorders)
		note_target(&plan, recorder->function->debuginfo, recorder->function->entry.section);
	note_unwinders(&plan);
	if (wants_lines(t))
		plan_lines(&plan);
	plan_user_objects(t);
	find_anchors(t);
	if (!plan.uses_addresses)
		return;
	/* Since 5.15, printk is a macro that calls _printk; runtime/compat/compat.h distinguishes the same. */
	t->printk_address = kernel_symbol(t, "_printk") ?: kernel_symbol(t, "printk");
	t->current_kprobe_address = kernel_symbol(t, "current_kprobe");
}
