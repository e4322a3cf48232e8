// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables of D. A global becomes a global of the tree; a thread-local one an array with the thread's id as the first
 * key; a clause-local one a local of the handler, which all clauses of a place share. Built-in variables are a table.
 */
#include "translator/dlang/attributes.h"
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/base/i18n.h"

/* ---- variables of the program ------------------------------------------------------------------------------------ */

struct d_variable *d_find_variable(struct d_translation *d, enum d_scope scope, const char *name)
{
	return g_hash_table_lookup(d->variables[scope], name);
}

struct symbol *d_declare_global(struct d_translation *d, const char *symbol, enum value_type type,
				const enum value_type *keys, int arity, const struct location *at)
{
	struct symbol *global;

	if (!g_hash_table_add(d->globals, (void *)symbol))
		return NULL;
	global = arena_new0(d->arena, struct symbol);
	global->name = symbol;
	/* It has no place, so that sema does not warn about variables of the front end, or those that D allows. */
	global->is_global = true;
	global->type = type;
	global->type_location = *at;
	global->arity = arity;
	for (int i = 0; i < arity; i++) {
		global->key_types[i] = keys[i];
		global->key_locations[i] = *at;
	}
	g_ptr_array_add(d->script->globals, global);
	return global;
}

void d_undeclare_global(struct d_translation *d, const char *symbol)
{
	GPtrArray *globals = d->script->globals;
	const struct symbol *last = globals->len ? g_ptr_array_index(globals, globals->len - 1) : NULL;

	if (!last || strcmp(last->name, symbol))
		return;
	g_ptr_array_set_size(globals, (int)globals->len - 1);
	g_hash_table_remove(d->globals, symbol);
}

static enum value_type tree_type(const struct type *type)
{
	return d_is_text(type) ? TYPE_STRING : TYPE_LONG;
}

static void declare_symbol(struct d_translation *d, const struct d_variable *variable, const struct location *at)
{
	enum value_type keys[MAX_KEYS];
	int arity = 0;

	if (variable->scope == D_THREAD_SCOPE)
		keys[arity++] = TYPE_LONG;
	for_each_ptr(const struct type *, key, variable->keys)
		if (arity < MAX_KEYS)
			keys[arity++] = tree_type(key);
	d_declare_global(d, variable->symbol, tree_type(variable->type), keys, arity, at);
}

struct d_variable *d_new_variable(struct d_translation *d, enum d_scope scope, const char *name, struct type *type,
				  GPtrArray *keys, const struct location *at)
{
	/* The front end's own variables and the aggregations begin with "d_". */
	static const char *const prefixes[D_SCOPE_COUNT_] = {
		[D_GLOBAL_SCOPE] = "dg_", [D_THREAD_SCOPE] = "ds_", [D_CLAUSE_SCOPE] = "dc_"};
	struct d_variable *variable = arena_new0(d->arena, struct d_variable);

	variable->scope = scope;
	variable->name = name;
	variable->symbol = arena_printf(d->arena, "%s%s", prefixes[scope], name);
	variable->type = type;
	variable->keys = keys;
	g_hash_table_insert(d->variables[scope], (void *)name, variable);
	/* A clause-local array is a global, because the tree's locals are scalars. */
	if (scope != D_CLAUSE_SCOPE || keys)
		declare_symbol(d, variable, at);
	return variable;
}

struct expr *d_symbol_expr(struct d_lowering *l, const struct location *at, const char *name, enum value_type type)
{
	struct expr *e = expr_new(l->arena, EXPR_SYMBOL, at);

	e->text = name;
	e->type = type;
	return e;
}

struct expr *d_variable_expr(struct d_lowering *l, const struct location *at, const struct d_variable *variable,
			     const GPtrArray *keys)
{
	struct expr *base = d_symbol_expr(l, at, variable->symbol, TYPE_UNKNOWN), *e;

	if (variable->scope != D_THREAD_SCOPE && !variable->keys) {
		base->type = tree_type(variable->type);
		return base;
	}
	e = expr_new(l->arena, EXPR_INDEX, at);
	e->left = base;
	e->arguments = arena_ptr_array(l->arena);
	if (variable->scope == D_THREAD_SCOPE)
		g_ptr_array_add(e->arguments, build_call(l->arena, at, "tid", NULL));
	for (guint i = 0; keys && i < keys->len; i++) {
		struct expr *key = g_ptr_array_index(keys, i);

		if (variable->count) {
			key = build_call(l->arena, at, "__dtrace_index", key);
			g_ptr_array_add(key->arguments, build_number(l->arena, at, (int64_t)variable->count));
		}
		g_ptr_array_add(e->arguments, key);
	}
	e->type = tree_type(variable->type);
	return e;
}

/* ---- built-in variables ------------------------------------------------------------------------------------------ */

typedef bool built_in_lowering(struct d_lowering *l, const struct d_node *node, struct d_value *ret);

struct built_in {
	const char *name;
	const char *type; /* of a call's result */
	const char *function; /* of the tapset; or NULL */
	built_in_lowering *lower; /* or NULL */
	const char *refused; /* why it is not supported, or NULL */
	enum d_owner owner; /* whose stability it has */
};

static bool text_value(struct d_lowering *l, const struct d_node *node, const char *text, struct d_value *ret)
{
	d_number_value(ret, d_string_type(), build_string(l->arena, &node->location, text));
	return true;
}

static bool lower_part(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	static const char *const names[D_PART_COUNT_] = {[D_PROVIDER] = "probeprov",
							 [D_MODULE] = "probemod",
							 [D_FUNCTION] = "probefunc",
							 [D_PROBE_NAME] = "probename"};
	int part = 0;

	while (strcmp(names[part], node->text))
		part++;
	if (!l->place->parts[part]) {
		d_number_value(ret, d_string_type(),
			       build_call(l->arena, &node->location, "__dtrace_syscall_name", NULL));
		return true;
	}
	if (part == D_PROVIDER) {
		d_number_value(ret, d_string_type(), d_provider_name(l, &node->location));
		return true;
	}
	return text_value(l, node, l->place->parts[part], ret);
}

static bool lower_id(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	d_number_value(ret, d_base_type(D_UINT), build_number(l->arena, &node->location, l->place->id));
	return true;
}

static bool lower_epid(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	d_number_value(ret, d_base_type(D_UINT), build_number(l->arena, &node->location, l->enabling));
	return true;
}

static bool lower_zero(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	d_number_value(ret, d_base_type(D_UINT), build_number(l->arena, &node->location, 0));
	return true;
}

static bool lower_argument(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const struct d_provider *provider = l->place->provider;
	unsigned int index = (unsigned int)(node->text[3] - '0');
	struct expr *e = NULL;

	if (l->in_error)
		e = index >= 1 && index <= 5 ? build_call(l->arena, &node->location, "__dtrace_error_argument",
							  build_number(l->arena, &node->location, index))
					     : NULL;
	else if (provider->argument)
		e = provider->argument(l, &node->location, index);
	d_number_value(ret, d_base_type(D_LONG), e ?: build_number(l->arena, &node->location, 0));
	return !l->failed;
}

bool d_typed_argument(struct d_lowering *l, const struct d_node *node, int64_t index, struct d_value *ret)
{
	const struct d_provider *provider = l->place->provider;

	if (index < 0 || index >= D_MOST_ARGUMENTS)
		return d_fail(l, &node->location, "D_ARGS_IDX", _("args[] has no index %lld"), (long long)index);
	if (!provider->typed)
		return d_fail(l, &node->location, "D_ARGS_NONE", _("the probes of provider '%s' have no args[]"),
			      provider->name);
	return provider->typed(l, &node->location, (unsigned int)index, ret);
}

/* Return a pointer to a type that has a name in the kernel or in tapset/dlang.d. */
static struct type *pointer_to_named(struct d_lowering *l, enum d_written_kind kind, const char *name)
{
	const struct d_written_type named = {.kind = kind, .name = name};
	const struct d_written_type pointer = {.kind = D_WRITTEN_POINTER, .target = (struct d_written_type *)&named};

	return d_resolve_type(l, &pointer);
}

struct type *d_struct_pointer(struct d_lowering *l, const char *name)
{
	return pointer_to_named(l, D_WRITTEN_STRUCT, name);
}

bool d_file_of_number(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *number = d_lower_number(l, g_ptr_array_index(node->arguments, 0), NULL);
	struct type *file = d_struct_pointer(l, "file"), *info;
	struct d_value value;

	if (!number || !file)
		return false;
	info = pointer_to_named(l, D_WRITTEN_NAME, "fileinfo_t");
	d_number_value(&value, file, build_call(l->arena, &node->location, "__dtrace_file", number));
	return info && d_translate_value(l, &node->location, info->target, &value, ret);
}

bool d_user_register(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *index = d_lower_number(l, g_ptr_array_index(node->arguments, 0), NULL);

	if (!index)
		return false;
	if (index->kind == EXPR_NUMBER && (index->number < 0 || index->number >= l->t->kernel.abi->entry_registers))
		return d_fail(l, &node->location, "D_REGS_IDX", _("uregs[] has no index %lld"),
			      (long long)index->number);
	d_number_value(ret, d_base_type(D_ULONG),
		       build_call(l->arena, &node->location, "__dtrace_user_register", index));
	return true;
}

static bool lower_args(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	ret->is_void = true;
	return d_fail(l, &node->location, "D_ARGS_TYPE", _("%s must be followed by an index, as in %s[0]"), node->text,
		      node->text);
}

/* Lower curthread: the kernel's struct task_struct of the current thread. */
static bool lower_curthread(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct type *type = pointer_to_named(l, D_WRITTEN_STRUCT, "task_struct");

	if (!type)
		return false;
	d_number_value(ret, type, build_call(l->arena, &node->location, "task_current", NULL));
	return true;
}

/* Lower execname; BEGIN and END run in dtrace itself. */
static bool lower_execname(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	if (!strcmp(l->place->provider->name, "dtrace") && !l->in_error)
		return text_value(l, node, "dtrace", ret);
	d_number_value(ret, d_string_type(), build_call(l->arena, &node->location, "execname", NULL));
	return true;
}

/* Lower $pid: the process that runs BEGIN and writes the output. derive.c adds the probe that keeps its number. */
static bool lower_own_pid(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	l->d->uses_own_pid = true;
	d_declare_global(l->d, "d_own_pid", TYPE_LONG, NULL, 0, &node->location);
	d_number_value(ret, d_built_in_type("pid_t"), d_symbol_expr(l, &node->location, "d_own_pid", TYPE_LONG));
	return true;
}

/* Lower errno: the error of the system call that returns. */
static bool lower_errno(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *e;

	if (strcmp(l->place->provider->name, "syscall") || !l->place->is_return)
		e = build_number(l->arena, &node->location, 0);
	else
		e = build_call(l->arena, &node->location, "__dtrace_errno", NULL);
	d_number_value(ret, d_base_type(D_INT), e);
	return true;
}

/* Lower stackdepth and ustackdepth: as many frames as the runtime can record. */
static bool lower_stack_depth(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const char *function = *node->text == 'u' ? "__dtrace_user_stack_depth" : "__dtrace_stack_depth";

	d_need_frames(l, INT64_MAX);
	d_number_value(ret, d_built_in_type("uint32_t"), build_call(l->arena, &node->location, function, NULL));
	return true;
}

#define REFUSED(text, reason)                                                                                          \
	{                                                                                                              \
		text, NULL, NULL, NULL, reason, D_OWNER_LANGUAGE                                                       \
	}

static const struct built_in built_ins[] = {
	{"$target", "pid_t", "target", NULL, NULL, D_OWNER_LANGUAGE}, /* -c */
	{"$pid", "pid_t", NULL, lower_own_pid, NULL, D_OWNER_LANGUAGE},
	{"pid", "pid_t", "pid", NULL, NULL, D_OWNER_LANGUAGE},
	{"tid", "id_t", "tid", NULL, NULL, D_OWNER_LANGUAGE},
	{"ppid", "pid_t", "ppid", NULL, NULL, D_OWNER_LANGUAGE},
	{"uid", "uid_t", "uid", NULL, NULL, D_OWNER_LANGUAGE},
	{"gid", "gid_t", "gid", NULL, NULL, D_OWNER_LANGUAGE},
	{"execname", "string", "execname", lower_execname, NULL, D_OWNER_LANGUAGE},
	{"execargs", "string", "cmdline_str", NULL, NULL, D_OWNER_LANGUAGE},
	{"cpu", "processorid_t", "cpu", NULL, NULL, D_OWNER_LANGUAGE},
	{"timestamp", "uint64_t", "ktime_get_ns", NULL, NULL, D_OWNER_LANGUAGE},
	{"vtimestamp", "uint64_t", "__dtrace_vtimestamp", NULL, NULL, D_OWNER_LANGUAGE},
	{"walltimestamp", "int64_t", "gettimeofday_ns", NULL, NULL, D_OWNER_LANGUAGE},
	{"cwd", "string", "__dtrace_cwd", NULL, NULL, D_OWNER_LANGUAGE},
	{"root", "string", "__dtrace_root", NULL, NULL, D_OWNER_LANGUAGE},
	{"stackdepth", "uint32_t", NULL, lower_stack_depth, NULL, D_OWNER_LANGUAGE},
	{"ustackdepth", "uint32_t", NULL, lower_stack_depth, NULL, D_OWNER_LANGUAGE},
	{"caller", "uintptr_t", "__dtrace_caller", NULL, NULL, D_OWNER_LANGUAGE},
	{"ucaller", "uint64_t", "__dtrace_user_caller", NULL, NULL, D_OWNER_LANGUAGE},
	{"probeprov", NULL, NULL, lower_part, NULL, D_OWNER_LANGUAGE},
	{"probemod", NULL, NULL, lower_part, NULL, D_OWNER_LANGUAGE},
	{"probefunc", NULL, NULL, lower_part, NULL, D_OWNER_LANGUAGE},
	{"probename", NULL, NULL, lower_part, NULL, D_OWNER_LANGUAGE},
	{"id", NULL, NULL, lower_id, NULL, D_OWNER_LANGUAGE},
	{"epid", NULL, NULL, lower_epid, NULL, D_OWNER_LANGUAGE},
	{"ipl", NULL, NULL, lower_zero, NULL, D_OWNER_LANGUAGE},
	{"errno", NULL, NULL, lower_errno, NULL, D_OWNER_LANGUAGE},
	{"curthread", NULL, NULL, lower_curthread, NULL, D_OWNER_THREAD},
	{"args", NULL, NULL, lower_args, NULL, D_OWNER_ARGUMENTS},
	{"uregs", NULL, NULL, lower_args, NULL, D_OWNER_LANGUAGE},
	{"fds", NULL, NULL, lower_args, NULL, D_OWNER_LANGUAGE},
	{"arg0", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg1", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg2", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg3", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg4", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg5", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg6", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg7", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg8", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	{"arg9", NULL, NULL, lower_argument, NULL, D_OWNER_ARGUMENTS},
	REFUSED("zonename", N_("Linux has no zones")),
	REFUSED("jailname", N_("Linux has no jails")),
	REFUSED("jid", N_("Linux has no jails")),
	REFUSED("pset", N_("Linux has no processor sets")),
	REFUSED("lgrp", N_("Linux has no locality groups")),
};

static const struct built_in *find_built_in(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(built_ins); i++)
		if (!strcmp(built_ins[i].name, name))
			return &built_ins[i];
	return NULL;
}

bool d_built_in(struct d_lowering *l, const struct d_node *node, struct d_value *ret, bool *good)
{
	const struct built_in *built_in = find_built_in(node->text);

	if (!built_in)
		return false;
	if (built_in->refused) {
		*good = d_fail(l, &node->location, "D_IDENT_BADREF", _("'%s' is not supported: %s"), node->text,
			       _(built_in->refused));
		return true;
	}
	*good = d_use_name(l, &node->location, node->text, built_in->owner);
	if (!*good)
		return true;
	if (built_in->lower)
		*good = built_in->lower(l, node, ret);
	else
		d_number_value(ret, d_built_in_type(built_in->type),
			       build_call(l->arena, &node->location, built_in->function, NULL));
	return true;
}

void d_built_in_names(GPtrArray *names)
{
	for (size_t i = 0; i < G_N_ELEMENTS(built_ins); i++)
		g_ptr_array_add(names, (void *)built_ins[i].name);
}
