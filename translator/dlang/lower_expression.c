// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expressions of D as expressions of the shared tree. A number of the tree has 64 bits and a sign; the value of a D
 * type is kept in it extended from its own size, so that operations need a conversion only where C's rules could give
 * another result. Values in memory are read by lowering/ (struct typed_value).
 */
#include "translator/dlang/attributes.h"
#include "translator/dlang/lower.h"
#include "translator/dlang/solaris_names.h"

#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"

bool d_fail(struct d_lowering *l, const struct location *at, const char *tag, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	l->failed = true;
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, at, "[%s] %s", tag, text);
	return false;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

void d_number_value(struct d_value *ret, struct type *type, struct expr *expr)
{
	*ret = (struct d_value){.type = type, .expr = expr};
}

/* Set a value in memory; the next steps may take its address, a member or an element. */
static void place_value(struct d_value *ret, const struct typed_value *place)
{
	*ret = (struct d_value){.type = place->type, .place = *place, .memory = place->memory};
	if (place->type->kind == KIND_POINTER && type_memory(place->type) == MEMORY_USER)
		ret->memory = MEMORY_USER;
}

struct expr *d_read(struct d_lowering *l, const struct location *at, const struct d_value *value)
{
	struct expr *e = value->expr;

	if (value->is_void) {
		d_fail(l, at, "D_OP_VOID", _("this has no value"));
		return NULL;
	}
	if (value->translator) {
		d_fail(l, at, "D_OP_SCALAR", _("the output of a translator has no single value; take a member"));
		return NULL;
	}
	if (!e && value->type->kind != KIND_VOID)
		e = read_scalar(l->arena, &value->place);
	if (e)
		return e;
	if (d_is_struct(value->type))
		d_fail(l, at, "D_OP_SCALAR", _("'%s' has no single value; take a member"), value->type->spelling);
	else
		d_fail(l, at, "D_OP_SCALAR", _("a value of type '%s' cannot be read"), value->type->spelling);
	return NULL;
}

static struct expr *call_with(struct arena *arena, const struct location *at, const char *name, struct expr *a,
			      struct expr *b)
{
	struct expr *call = build_call(arena, at, name, a);

	if (b)
		g_ptr_array_add(call->arguments, b);
	return call;
}

struct expr *d_read_string(struct d_lowering *l, const struct location *at, const struct d_value *value)
{
	bool is_user = value->memory == MEMORY_USER;
	struct expr *e;

	if (value->is_void || d_is_struct(value->type))
		return d_read(l, at, value);
	if (d_is_string(value->type) && value->expr)
		return value->expr;
	e = d_read(l, at, value);
	if (!e)
		return NULL;
	if (value->type->kind == KIND_ARRAY && value->type->count)
		return call_with(l->arena, at, is_user ? "user_string_n" : "kernel_string_n", e,
				 build_number(l->arena, at, (int64_t)value->type->count));
	return call_with(l->arena, at, is_user ? "user_string" : "kernel_string", e, NULL);
}

struct expr *d_lower_number(struct d_lowering *l, const struct d_node *node, struct type **type)
{
	struct d_value value;

	if (!d_lower(l, node, &value))
		return NULL;
	if (!value.is_void && (d_is_string(value.type) || d_is_stack(value.type))) {
		d_fail(l, &node->location, "D_OP_SCALAR", _("a number is expected here, not a value of type '%s'"),
		       value.type->spelling);
		return NULL;
	}
	if (type)
		*type = value.type;
	return d_read(l, &node->location, &value);
}

struct expr *d_lower_string(struct d_lowering *l, const struct d_node *node)
{
	struct d_value value;

	if (!d_lower(l, node, &value))
		return NULL;
	if (!value.is_void && !d_is_text(value.type) && value.type->kind != KIND_POINTER) {
		d_fail(l, &node->location, "D_PROTO_ARG", _("a string is expected here, not a value of type '%s'"),
		       value.type->spelling);
		return NULL;
	}
	return d_read_string(l, &node->location, &value);
}

struct expr *d_convert(struct d_lowering *l, struct expr *value, const struct type *from, const struct type *to)
{
	bool fits = from->size < to->size ? !from->is_signed || to->is_signed
					  : from->size == to->size && from->is_signed == to->is_signed;

	if (to->is_bool)
		return build_binary(l->arena, OP_NOT_EQUAL, value, build_number(l->arena, &value->location, 0));
	if (to->size >= sizeof(int64_t) || !to->size || (fits && from->kind != KIND_POINTER) || !d_is_integer(to))
		return value;
	return build_convert(l->arena, value, (int)to->size, to->is_signed && to->kind != KIND_ENUM);
}

/* Is it a 64-bit type without sign, which the tree's signed operations do not fit? */
static bool is_wide_unsigned(const struct type *type)
{
	return type->kind == KIND_POINTER || type->kind == KIND_ARRAY ||
	       (type->size == sizeof(int64_t) && !type->is_signed);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

bool d_is_of_user(const struct d_lowering *l, const struct location *at)
{
	return g_ptr_array_find(l->t->user_sources, at->file, NULL);
}

/* Find the inline that a name means at a place. Those of the program hide the library's, but not from the library. */
static const struct d_inline *find_inline(const struct d_lowering *l, const char *name, const struct location *at)
{
	const struct d_inline *ret = NULL;
	bool is_user = d_is_of_user(l, at);

	for_each_ptr(const struct d_inline *, one, l->d->program->inlines) {
		if (strcmp(one->declarator->name, name))
			continue;
		if (d_is_of_user(l, &one->declarator->location) == is_user)
			return one;
		if (is_user)
			ret = one;
	}
	return ret;
}

bool d_expand(struct d_lowering *l, const struct location *at, const char *name, const struct d_node *value,
	      const struct d_binding *bindings, guint count, struct d_value *ret)
{
	enum { MOST = 4096 }; /* inlines that use each other twice grow exponentially */
	const struct d_expansion this = {.value = value, .outer = l->expansion};
	const struct d_binding *outer = l->bindings;
	guint outer_count = l->binding_count;
	bool good;

	for (const struct d_expansion *other = l->expansion; other; other = other->outer)
		if (other->value == value)
			return d_fail(l, at, "D_IDENT_UNDEF", _("'%s' refers to itself"), name);
	if (l->expansions >= MOST)
		return d_fail(l, at, "D_SYNTAX", _("the clause uses more than %d inlines and members of translators"),
			      MOST);
	l->expansions++;
	l->expansion = &this;
	l->bindings = bindings;
	l->binding_count = count;
	good = d_lower(l, value, ret);
	l->expansion = this.outer;
	l->bindings = outer;
	l->binding_count = outer_count;
	return good;
}

/* Lower an inline; @p keys are the values of its parameters, or NULL. */
static bool lower_inline(struct d_lowering *l, const struct location *at, const struct d_inline *one,
			 const GPtrArray *keys, struct d_value *ret)
{
	const struct d_written_type *written = one->declarator->type;
	struct type *type = d_resolve_type(l, keys ? written->target : written);
	guint count = keys ? keys->len : 0;
	struct d_binding *bindings = arena_alloc(l->arena, (count + 1) * sizeof(*bindings));
	struct expr *e;

	if (!type)
		return false;
	for (guint i = 0; i < count; i++) {
		struct type *key = d_resolve_type(l, g_ptr_array_index(written->keys, i));

		bindings[i].name = g_ptr_array_index(written->key_names, i);
		d_number_value(&bindings[i].value, d_is_text(key) ? d_string_type() : key, g_ptr_array_index(keys, i));
	}
	if (!d_expand(l, at, one->declarator->name, one->value, bindings, count, ret))
		return false;
	if (ret->translator || d_is_text(type) || d_is_struct(type))
		return true;
	e = d_read(l, &one->declarator->location, ret);
	if (!e)
		return false;
	if (d_is_integer(type))
		e = d_convert(l, e, ret->type, type);
	*ret = (struct d_value){.type = type, .expr = e, .memory = ret->memory};
	return true;
}

static const struct d_binding *find_binding(const struct d_lowering *l, const struct d_node *node)
{
	for (guint i = 0; i < l->binding_count && node->kind == D_NAME; i++)
		if (!strcmp(l->bindings[i].name, node->text))
			return &l->bindings[i];
	return NULL;
}

bool d_is_built_in_name(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	d_built_in_names(names);
	return g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL);
}

bool d_is_variable_name(struct d_lowering *l, const struct location *at, const char *name)
{
	return d_find_variable(l->d, D_GLOBAL_SCOPE, name) || d_is_built_in_name(name) || find_inline(l, name, at);
}

static bool unknown_name(struct d_lowering *l, const struct d_node *node)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;
	GHashTableIter iter;
	void *key;

	if (d_is_call_name(node->text))
		return d_fail(l, &node->location, "D_IDENT_BADREF", _("%s may not be referenced without arguments"),
			      node->text);
	d_built_in_names(names);
	g_hash_table_iter_init(&iter, l->d->variables[D_GLOBAL_SCOPE]);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		g_ptr_array_add(names, key);
	for_each_ptr(const struct d_inline *, one, l->d->program->inlines)
		g_ptr_array_add(names, (void *)one->declarator->name);
	d_fail(l, &node->location, "D_IDENT_UNDEF", _("failed to resolve %s: Unknown variable name"), node->text);
	near = nearest_matches(l->arena, node->text, names, "", 3);
	if (d_hint_linux_name(l->t->diagnostics, node->text))
		return false;
	if (near)
		diagnose_near(l->t->diagnostics, near);
	else
		diagnose_hint(l->t->diagnostics, _("declare it, or assign to it before it is read"));
	return false;
}

/* Find an enumerator of the program or of the kernel. */
static bool lower_enumerator(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *known = g_hash_table_lookup(l->d->enumerators, node->text);
	struct debuginfo *debuginfo;
	struct error *error;
	int64_t number;

	if (!known) {
		error = translation_debuginfo(l->t, "kernel", &debuginfo);
		error = error ?: debuginfo_find_enumerator(debuginfo, node->text, &number);
		if (error) {
			error_free(error);
			return false;
		}
		known = build_number(l->arena, &node->location, number);
		g_hash_table_insert(l->d->enumerators, (void *)node->text, known);
	}
	d_number_value(ret, d_base_type(D_INT), build_number(l->arena, &node->location, known->number));
	return true;
}

static void variable_value(struct d_lowering *l, const struct d_node *node, const struct d_variable *variable,
			   const GPtrArray *keys, struct d_value *ret)
{
	if (variable->in_memory) {
		d_memory_variable(l, &node->location, variable, keys, ret);
		return;
	}
	*ret = (struct d_value){
		.type = variable->type,
		.memory = variable->memory,
		.variable = variable,
		.expr = d_variable_expr(l, &node->location, variable, keys),
	};
}

enum d_scope d_scope_of(const struct d_node *node)
{
	return node->kind == D_SELF ? D_THREAD_SCOPE : node->kind == D_THIS ? D_CLAUSE_SCOPE : D_GLOBAL_SCOPE;
}

static bool is_variable_node(const struct d_node *node)
{
	return node->kind == D_NAME || node->kind == D_SELF || node->kind == D_THIS;
}

static bool lower_name(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const struct d_variable *variable = d_find_variable(l->d, d_scope_of(node), node->text);
	const struct d_binding *binding = find_binding(l, node);
	const struct d_inline *inlined;
	bool good;

	if (binding) {
		*ret = binding->value;
		/* It may be used more than once. */
		if (ret->expr)
			ret->expr = expr_copy(l->arena, ret->expr);
		return true;
	}
	if (variable && variable->keys)
		return d_fail(l, &node->location, "D_OP_ARRFUN", _("'%s' is an array; give its index"), node->text);
	if (variable) {
		variable_value(l, node, variable, NULL, ret);
		return true;
	}
	if (node->kind != D_NAME)
		return d_fail(l, &node->location, "D_IDENT_UNDEF", _("%s->%s has not yet been declared or assigned"),
			      node->kind == D_SELF ? "self" : "this", node->text);
	inlined = find_inline(l, node->text, &node->location);
	if (inlined && inlined->declarator->type->keys)
		return d_fail(l, &node->location, "D_OP_ARRFUN", _("'%s' has parameters; give them in brackets"),
			      node->text);
	if (inlined)
		return lower_inline(l, &node->location, inlined, NULL, ret);
	if (d_built_in(l, node, ret, &good))
		return good;
	return lower_enumerator(l, node, ret) || unknown_name(l, node);
}

/* ---- kernel symbols ---------------------------------------------------------------------------------------------- */

/* Lower a symbol without a type: a function, or a variable of a kernel without DWARF. */
static bool lower_untyped_symbol(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct address address;
	struct debuginfo *debuginfo;
	struct error *error = translation_debuginfo(
		l->t, node->module && strcmp(node->module, "vmlinux") ? node->module : "kernel", &debuginfo);

	error = error ?: debuginfo_symbol_address(debuginfo, node->text, &address);
	if (error) {
		bool is_missing = error->code == ERROR_LOOKUP;

		d_fail(l, &node->location, "D_IDENT_UNDEF", _("failed to resolve %s`%s: %s"), node->module ?: "",
		       node->text, error->message);
		diagnose_hint_of(l->t->diagnostics, error);
		if (!d_hint_linux_name(l->t->diagnostics, node->text) && is_missing && !error->hint)
			diagnose_hint(l->t->diagnostics, _("list the kernel's symbols in /proc/kallsyms"));
		error_free(error);
		return false;
	}
	d_number_value(ret, d_pointer_to(l->arena, d_base_type(D_VOID)),
		       address_expression(l->t, NULL, &node->location, debuginfo, &address));
	return true;
}

static bool lower_kernel_symbol(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *target = expr_new(l->arena, EXPR_TARGET, &node->location), *address;
	size_t mark;
	struct typed_value pointer, place;

	if (!d_use_name(l, &node->location, node->text, D_OWNER_KERNEL))
		return false;
	mark = diagnostics_mark(l->t->diagnostics);
	target->target = TARGET_ATVAR;
	target->text = node->text;
	target->module = node->module && strcmp(node->module, "vmlinux") ? node->module : "kernel";
	target->address_of = true;
	address = lower_global_variable(l->t, NULL, target);
	if (!address || !address->c_type || address->c_type->target->kind == KIND_VOID) {
		diagnostics_rewind(l->t->diagnostics, mark);
		return lower_untyped_symbol(l, node, ret);
	}
	pointer = (struct typed_value){.type = address->c_type, .value = address};
	place = dereference(l->arena, &pointer, 0);
	place_value(ret, &place);
	return true;
}

/* ---- members, elements, pointers --------------------------------------------------------------------------------- */

/* Return the value that a pointer, or an array, points to at an index. */
static bool element_at(struct d_lowering *l, const struct location *at, const struct d_value *base, struct expr *index,
		       struct d_value *ret)
{
	struct type *element = base->type->target;
	struct expr *address = d_read(l, at, base);
	struct typed_value place;

	if (!address)
		return false;
	if (!element || element->kind == KIND_VOID || (!element->size && index))
		return d_fail(l, at, "D_DEREF_VOID", _("cannot dereference a value of type '%s'"),
			      base->type->spelling);
	if (index && !(index->kind == EXPR_NUMBER && !index->number)) {
		struct expr *size = build_number(l->arena, at, (int64_t)element->size);

		address = build_binary(l->arena, OP_ADD, address, build_binary(l->arena, OP_MULTIPLY, index, size));
	}
	place = (struct typed_value){.type = element, .memory = base->memory, .address = address};
	place_value(ret, &place);
	return true;
}

static bool no_member(struct d_lowering *l, const struct location *at, const char *tag, const struct type *type,
		      const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *members = NULL, *near;
	struct error *error = debuginfo_members((struct type *)type, &members);

	if (error) {
		d_fail(l, at, "D_TYPE_ERR", "%s", error->message);
		error_free(error);
		return false;
	}
	for_each_ptr(const struct member *, member, members)
		if (member->name)
			g_ptr_array_add(names, (void *)member->name);
	d_fail(l, at, tag, _("%s is not a member of %s"), name, type->spelling);
	near = nearest_matches(l->arena, name, names, "", 3);
	if (near)
		diagnose_near(l->t->diagnostics, near);
	return false;
}

bool d_member(struct d_lowering *l, const struct location *at, const struct d_value *outer, const char *name,
	      struct d_value *ret)
{
	struct expr *bit_field;
	struct typed_value place;
	struct member member;
	struct error *error = debuginfo_find_member(outer->type, name, &member);

	if (error) {
		error_free(error);
		return no_member(l, at, "D_TYPE_MEMBER", outer->type, name);
	}
	place = member_value(l->arena, &outer->place, &member, &bit_field);
	if (bit_field) {
		struct member *copy = arena_new0(l->arena, struct member);

		*copy = member;
		d_number_value(ret, member.type, bit_field);
		ret->bit_field = copy;
		ret->place = outer->place;
		if (outer->place.address)
			ret->place.address = build_binary(l->arena, OP_ADD, expr_copy(l->arena, outer->place.address),
							  build_number(l->arena, at, (int64_t)member.offset));
		return true;
	}
	place.memory = outer->place.memory;
	place_value(ret, &place);
	return true;
}

/* member := left "." name | left "->" name */
static bool lower_member(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_value left, outer;

	if (!d_lower(l, node->left, &left))
		return false;
	if (left.translator)
		return d_translated_member(l, node, &left, ret);
	if (node->is_arrow) {
		if (left.is_void || left.type->kind != KIND_POINTER)
			return d_fail(l, &node->location, "D_OP_PTR",
				      _("'->' requires a pointer to a struct or union, not '%s'"),
				      left.is_void ? "void" : left.type->spelling);
		if (!d_is_struct(left.type->target))
			return d_fail(l, &node->location, "D_OP_SOU",
				      _("'->' requires a pointer to a struct or union, not '%s'"), left.type->spelling);
		if (!element_at(l, &node->location, &left, NULL, &outer))
			return false;
	} else {
		if (left.is_void || !d_is_struct(left.type))
			return d_fail(l, &node->location, "D_OP_SOU", _("'.' requires a struct or union, not '%s'"),
				      left.is_void ? "void" : left.type->spelling);
		outer = left;
	}
	return d_member(l, &node->location, &outer, node->text, ret);
}

/* Lower the keys of an array variable to their types. Return NULL after a diagnostic. */
static GPtrArray *lower_keys(struct d_lowering *l, const struct d_node *node, const struct d_variable *variable)
{
	GPtrArray *keys = arena_ptr_array(l->arena);

	if (node->arguments->len != variable->keys->len) {
		d_fail(l, &node->location, variable->count ? "D_ARR_BADREF" : "D_PROTO_LEN",
		       _("'%s' has %u keys, not %u"), variable->name, variable->keys->len, node->arguments->len);
		return NULL;
	}
	for (guint i = 0; i < node->arguments->len; i++) {
		const struct d_node *argument = g_ptr_array_index(node->arguments, i);
		struct type *wanted = g_ptr_array_index(variable->keys, i);
		struct d_value value;
		struct expr *key;

		if (!d_lower(l, argument, &value))
			return NULL;
		if (value.is_void || d_is_struct(value.type) ||
		    (d_is_text(wanted) ? !d_is_text(value.type) && value.type->kind != KIND_POINTER
				       : d_is_string(value.type))) {
			d_fail(l, &argument->location, variable->count ? "D_ARR_BADREF" : "D_PROTO_ARG",
			       _("key #%u of '%s' is incompatible with its type:\n\tdeclared: %s\n\t   found: %s"),
			       i + 1, variable->name, wanted->spelling, value.is_void ? "void" : value.type->spelling);
			return NULL;
		}
		key = d_is_text(wanted) ? d_read_string(l, &argument->location, &value)
					: d_read(l, &argument->location, &value);
		if (!key)
			return NULL;
		if (!d_is_text(wanted))
			key = d_convert(l, key, value.type, wanted);
		g_ptr_array_add(keys, key);
	}
	return keys;
}

/* name[parameters], where name is an inline */
static bool lower_inline_call(struct d_lowering *l, const struct d_node *node, const struct d_inline *one,
			      struct d_value *ret)
{
	struct d_variable parameters = {.name = node->left->text, .keys = arena_ptr_array(l->arena)};
	GPtrArray *keys;

	for_each_ptr(const struct d_written_type *, written, one->declarator->type->keys) {
		struct type *type = d_resolve_type(l, written);

		if (!type)
			return false;
		g_ptr_array_add(parameters.keys, type);
	}
	keys = lower_keys(l, node, &parameters);
	return keys && lower_inline(l, &node->location, one, keys, ret);
}

/* Lower the index of an array or pointer. Return NULL after a diagnostic. */
static struct expr *lower_array_index(struct d_lowering *l, const struct d_node *node)
{
	struct d_value value;

	if (!d_lower(l, node, &value))
		return NULL;
	if (value.is_void || !d_is_integer(value.type)) {
		d_fail(l, &node->location, "D_ARR_BADREF", _("an index must be an integer, not '%s'"),
		       value.is_void ? "void" : value.type->spelling);
		return NULL;
	}
	return d_read(l, &node->location, &value);
}

static bool lower_index(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	const struct d_inline *inlined = node->left->kind == D_NAME && !find_binding(l, node->left)
						 ? find_inline(l, node->left->text, &node->location)
						 : NULL;
	const struct d_node *first = g_ptr_array_index(node->arguments, 0);
	const struct d_variable *variable = NULL;
	struct d_value base;
	struct expr *index;
	int64_t number;

	if (node->left->kind == D_NAME && !strcmp(node->left->text, "args"))
		return d_constant_value_as(l, first, "D_ARGS_TYPE", &number) && d_typed_argument(l, node, number, ret);
	if (is_variable_node(node->left))
		variable = d_find_variable(l->d, d_scope_of(node->left), node->left->text);
	if (node->left->kind == D_NAME && !strcmp(node->left->text, "uregs") && !variable)
		return d_user_register(l, node, ret);
	if (node->left->kind == D_NAME && !strcmp(node->left->text, "fds") && !variable)
		return d_file_of_number(l, node, ret);
	if (variable && variable->keys) {
		GPtrArray *keys = lower_keys(l, node, variable);

		if (!keys)
			return false;
		variable_value(l, node, variable, keys, ret);
		return true;
	}
	if (inlined && !variable && inlined->declarator->type->keys)
		return lower_inline_call(l, node, inlined, ret);
	if (!d_lower(l, node->left, &base))
		return false;
	index = node->arguments->len == 1 ? lower_array_index(l, first) : NULL;
	if (!index)
		return node->arguments->len > 1 &&
		       d_fail(l, &node->location, "D_ARR_BADREF", _("only one index is allowed here"));
	if (d_is_string(base.type) && base.expr) {
		d_number_value(ret, d_base_type(D_CHAR),
			       call_with(l->arena, &node->location, "stringat", base.expr, index));
		return true;
	}
	if (is_variable_node(node->left) && !base.is_void && base.type->kind == KIND_ARRAY && base.type->count)
		index = call_with(l->arena, &node->location, "__dtrace_index", index,
				  build_number(l->arena, &node->location, (int64_t)base.type->count));
	if (base.is_void || !d_is_address(base.type))
		return d_fail(l, &node->location, "D_OP_ARRFUN", _("'%s' is not an array or pointer"),
			      base.is_void ? "void" : base.type->spelling);
	return element_at(l, &node->location, &base, index, ret);
}

/* Is it an aggregation, or the name of an associative array? */
static bool is_dynamic_object(struct d_lowering *l, const struct d_node *node)
{
	const struct d_variable *variable =
		is_variable_node(node) ? d_find_variable(l->d, d_scope_of(node), node->text) : NULL;

	return node->kind == D_AGGREGATION || (variable && variable->keys && !variable->count);
}

static bool lower_dereference(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_value pointer;

	if (!d_lower(l, node->left, &pointer))
		return false;
	if (pointer.translator && pointer.type->kind == KIND_POINTER) {
		*ret = pointer;
		ret->type = pointer.type->target;
		return true;
	}
	if (pointer.is_void || !d_is_address(pointer.type))
		return d_fail(l, &node->location, "D_DEREF_NONPTR",
			      _("'*' requires a pointer, not a value of type '%s'"),
			      pointer.is_void ? "void" : pointer.type->spelling);
	return element_at(l, &node->location, &pointer, NULL, ret);
}

static bool lower_address(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_value value;

	if (is_dynamic_object(l, node->left))
		return d_fail(l, &node->location, "D_ADDROF_VAR",
			      _("an associative array or an aggregation has no address"));
	if (!d_lower(l, node->left, &value))
		return false;
	if (!value.is_void && node->left->kind == D_KERNEL && value.type->kind == KIND_POINTER && value.expr) {
		*ret = value; /* a function: it has no value, only an address */
		return true;
	}
	if (value.bit_field)
		return d_fail(l, &node->location, "D_ADDROF_BITFIELD", _("a bit-field has no address"));
	if (value.is_void || value.expr || !value.place.address)
		return d_fail(l, &node->location, "D_OP_LVAL",
			      _("'&' requires an object in memory, such as a member of a structure"));
	d_number_value(ret, d_pointer_to(l->arena, value.type), value.place.address);
	ret->memory = value.place.memory;
	return true;
}

/* ---- unary operators --------------------------------------------------------------------------------------------- */

struct expr *d_lower_condition(struct d_lowering *l, const struct d_node *node)
{
	return d_lower_number(l, node, NULL);
}

static struct expr *unary_expr(struct d_lowering *l, enum expr_operator op, struct expr *operand)
{
	struct expr *e = expr_new(l->arena, EXPR_UNARY, &operand->location);

	e->op = op;
	e->operand = operand;
	e->type = TYPE_LONG;
	return e;
}

/* Return the type of an operand after the integer promotions. An int can hold the values of most bit-fields. */
static struct type *operand_type(const struct d_value *value)
{
	const struct member *field = value->bit_field;
	const int most = 32 - !value->type->is_signed;

	return field && field->bit_size <= most ? d_base_type(D_INT) : d_promoted(value->type);
}

static bool lower_unary(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *operand, *e;
	struct d_value value;
	struct type *type;

	if (!d_lower(l, node->left, &value))
		return false;
	if (!value.is_void && node->kind != D_NOT && !d_is_integer(value.type))
		return d_fail(l, &node->location, "D_OP_INT", _("the operator requires an integer, not '%s'"),
			      value.type->spelling);
	if (!value.is_void && d_is_string(value.type))
		return d_fail(l, &node->location, "D_OP_SCALAR", _("the operator requires a number, not '%s'"),
			      value.type->spelling);
	operand = d_read(l, &node->location, &value);
	if (!operand)
		return false;
	if (node->kind == D_NOT) {
		d_number_value(ret, d_base_type(D_INT), unary_expr(l, OP_LOGICAL_NOT, operand));
		return true;
	}
	type = operand_type(&value);
	if (node->kind == D_PLUS)
		e = operand;
	else if (operand->kind == EXPR_NUMBER)
		e = build_number(l->arena, &node->location,
				 node->kind == D_NEGATE ? (int64_t) - (uint64_t)operand->number : ~operand->number);
	else
		e = unary_expr(l, node->kind == D_NEGATE ? OP_NEGATE : OP_COMPLEMENT, operand);
	if (node->kind != D_PLUS)
		e = d_convert(l, e, d_base_type(D_LONG), type);
	d_number_value(ret, type, e);
	return true;
}

/* ---- binary operators -------------------------------------------------------------------------------------------- */

static bool compares(enum expr_operator op)
{
	return op >= OP_EQUAL && op <= OP_GREATER_EQUAL;
}

static struct expr *unsigned_operand(struct d_lowering *l, struct expr *e)
{
	return build_binary(l->arena, OP_XOR, e, build_number(l->arena, &e->location, INT64_MIN));
}

/* Build an operation on two numbers of one type, which the result has, too. */
static struct expr *typed_operation(struct d_lowering *l, enum expr_operator op, struct expr *left, struct expr *right,
				    const struct type *type)
{
	bool is_wide = is_wide_unsigned(type);

	if (compares(op) && is_wide && op != OP_EQUAL && op != OP_NOT_EQUAL)
		return build_binary(l->arena, op, unsigned_operand(l, left), unsigned_operand(l, right));
	if (compares(op))
		return build_binary(l->arena, op, left, right);
	if (is_wide && (op == OP_DIVIDE || op == OP_MODULO))
		return call_with(l->arena, &left->location,
				 op == OP_DIVIDE ? "__unsigned_quotient" : "__unsigned_remainder", left, right);
	if (op == OP_SHIFT_RIGHT && !type->is_signed)
		op = OP_SHIFT_RIGHT_LOGICAL;
	return d_convert(l, build_binary(l->arena, op, left, right), d_base_type(D_LONG), type);
}

/* Is it NULL, with which a string can be compared? The string without a value is "". */
static bool is_null(const struct d_value *value)
{
	return !value->is_void && d_is_integer(value->type) && value->expr && value->expr->kind == EXPR_NUMBER &&
	       !value->expr->number;
}

static struct expr *compared_string(struct d_lowering *l, const struct location *at, const struct d_value *value)
{
	return is_null(value) ? build_string(l->arena, at, "") : d_read_string(l, at, value);
}

static bool incompatible(struct d_lowering *l, const struct d_node *node, const struct d_value *left,
			 const struct d_value *right)
{
	g_autofree char *operator= location_text(&node->location);

	return d_fail(l, &node->location, "D_OP_INCOMPAT", _("operands have incompatible types: \"%s\" %s \"%s\""),
		      left->type->spelling, operator?: "", right->type->spelling);
}

static bool string_comparison(struct d_lowering *l, const struct d_node *node, const struct d_value *left,
			      const struct d_value *right, struct d_value *ret)
{
	struct expr *a, *b;

	if (!compares(node->op) && node->op != OP_ADD && node->op != OP_SUBTRACT)
		return d_fail(l, &node->location, "D_OP_INT", _("the operator requires integers, not '%s' and '%s'"),
			      left->type->spelling, right->type->spelling);
	if (!compares(node->op))
		return incompatible(l, node, left, right);
	if ((!d_is_text(left->type) && left->type->kind != KIND_POINTER && !is_null(left)) ||
	    (!d_is_text(right->type) && right->type->kind != KIND_POINTER && !is_null(right)))
		return incompatible(l, node, left, right);
	a = compared_string(l, &node->left->location, left);
	b = a ? compared_string(l, &node->right->location, right) : NULL;
	if (!b)
		return false;
	d_number_value(ret, d_base_type(D_INT), build_binary(l->arena, node->op, a, b));
	return true;
}

/* Is it a pointer to void or to a function? Their targets have no size. */
static bool has_no_step(const struct type *type)
{
	return type->kind == KIND_POINTER &&
	       (!type->target || type->target->kind == KIND_VOID || type->target->kind == KIND_FUNCTION);
}

/* pointer + integer, integer + pointer, pointer - integer, pointer - pointer */
static bool pointer_arithmetic(struct d_lowering *l, const struct d_node *node, const struct d_value *left,
			       const struct d_value *right, struct expr *a, struct expr *b, struct d_value *ret)
{
	const struct d_value *pointer = d_is_address(left->type) ? left : right;
	struct type *target = pointer->type->target;
	struct expr *size;

	if (has_no_step(left->type) || has_no_step(right->type))
		return incompatible(l, node, left, right);
	size = build_number(l->arena, &node->location, target && target->size ? (int64_t)target->size : 1);
	if (node->op == OP_SUBTRACT && d_is_address(left->type) && d_is_address(right->type)) {
		d_number_value(ret, d_base_type(D_LONG),
			       build_binary(l->arena, OP_DIVIDE, build_binary(l->arena, OP_SUBTRACT, a, b), size));
		return true;
	}
	if ((node->op != OP_ADD && node->op != OP_SUBTRACT) ||
	    (d_is_address(left->type) && d_is_address(right->type)) || (node->op == OP_SUBTRACT && pointer == right))
		return d_fail(l, &node->location, "D_OP_INT", _("the operator cannot be applied to a pointer"));
	if (pointer == left)
		b = build_binary(l->arena, OP_MULTIPLY, b, size);
	else
		a = build_binary(l->arena, OP_MULTIPLY, a, size);
	d_number_value(ret, pointer->type->kind == KIND_POINTER ? pointer->type : d_pointer_to(l->arena, target),
		       build_binary(l->arena, node->op, a, b));
	ret->memory = pointer->memory;
	return true;
}

static bool number_operation(struct d_lowering *l, const struct d_node *node, const struct d_value *left,
			     const struct d_value *right, struct d_value *ret)
{
	bool shifts = node->op == OP_SHIFT_LEFT || node->op == OP_SHIFT_RIGHT;
	struct expr *a = d_read(l, &node->left->location, left);
	struct expr *b = a ? d_read(l, &node->right->location, right) : NULL;
	struct type *type;

	if (!b)
		return false;
	if (!compares(node->op) && (d_is_address(left->type) || d_is_address(right->type)))
		return pointer_arithmetic(l, node, left, right, a, b, ret);
	if (compares(node->op) && (d_is_address(left->type) || d_is_address(right->type)))
		type = d_base_type(D_ULONG);
	else
		type = shifts ? operand_type(left) : d_common_type(operand_type(left), operand_type(right));
	a = d_convert(l, a, left->type, type);
	if (!shifts)
		b = d_convert(l, b, right->type, type);
	if (b->kind == EXPR_NUMBER && !b->number && (node->op == OP_DIVIDE || node->op == OP_MODULO))
		return d_fail(l, &node->location, "D_DIV_ZERO", _("expression contains division by zero"));
	a = typed_operation(l, node->op, a, b, type);
	d_number_value(ret, compares(node->op) ? d_base_type(D_INT) : type, a);
	return true;
}

static bool logical_operation(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *left = d_lower_condition(l, node->left);
	struct expr *right = left ? d_lower_condition(l, node->right) : NULL;
	struct expr *zero;

	if (!right)
		return false;
	if (node->kind == D_LOGICAL_XOR) {
		zero = build_number(l->arena, &node->location, 0);
		left = build_binary(l->arena, OP_NOT_EQUAL, build_binary(l->arena, OP_NOT_EQUAL, left, zero),
				    build_binary(l->arena, OP_NOT_EQUAL, right, expr_copy(l->arena, zero)));
	} else {
		left = build_logical(l->arena, node->op, left, right);
	}
	d_number_value(ret, d_base_type(D_INT), left);
	return true;
}

static bool check_operand(struct d_lowering *l, const struct d_node *node, const struct d_value *value)
{
	if (value->is_void)
		return d_fail(l, &node->location, "D_OP_VOID", _("this has no value"));
	if (d_is_stack(value->type))
		return d_fail(l, &node->location, "D_OP_DYN", _("the operator cannot be applied to '%s'"),
			      value->type->spelling);
	if (d_is_struct(value->type) || value->type->kind == KIND_FLOAT)
		return d_fail(l, &node->location, "D_OP_SCALAR", _("the operator cannot be applied to '%s'"),
			      value->type->spelling);
	return true;
}

static bool lower_binary(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_value left, right;

	if (node->kind == D_LOGICAL_XOR || node->op == OP_LOGICAL_AND || node->op == OP_LOGICAL_OR)
		return logical_operation(l, node, ret);
	if (!d_lower(l, node->left, &left) || !check_operand(l, node->left, &left) ||
	    !d_lower(l, node->right, &right) || !check_operand(l, node->right, &right))
		return false;
	if ((d_is_string(left.type) || d_is_string(right.type) || (d_is_text(left.type) && d_is_text(right.type))))
		return string_comparison(l, node, &left, &right, ret);
	return number_operation(l, node, &left, &right, ret);
}

static bool lower_conditional(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *condition = d_lower_condition(l, node->condition), *a, *b;
	struct d_value left, right;
	struct type *type;
	bool is_text;

	if (!condition || !d_lower(l, node->left, &left) || !d_lower(l, node->right, &right))
		return false;
	if (left.is_void || right.is_void)
		return d_fail(l, &node->location, "D_OP_VOID", _("both values of '?:' must have a value"));
	is_text = d_is_text(left.type) || d_is_text(right.type);
	if (is_text && (d_is_integer(left.type) || d_is_integer(right.type)))
		return d_fail(l, &node->location, "D_OP_INCOMPAT", _("both values of '?:' must have one type"));
	a = is_text ? d_read_string(l, &node->left->location, &left) : d_read(l, &node->left->location, &left);
	b = !a	      ? NULL
	    : is_text ? d_read_string(l, &node->right->location, &right)
		      : d_read(l, &node->right->location, &right);
	if (!b)
		return false;
	if (is_text)
		type = d_string_type();
	else if (d_is_address(left.type) || d_is_address(right.type))
		type = d_is_address(left.type) ? left.type : right.type;
	else
		type = d_common_type(operand_type(&left), operand_type(&right));
	if (d_is_integer(type)) {
		a = d_convert(l, a, left.type, type);
		b = d_convert(l, b, right.type, type);
	}
	d_number_value(ret, type, build_conditional(l->arena, condition, a, b));
	ret->expr->type = is_text ? TYPE_STRING : TYPE_LONG;
	ret->memory = left.memory == MEMORY_USER || right.memory == MEMORY_USER ? MEMORY_USER : MEMORY_KERNEL;
	return true;
}

/* ---- assignments ------------------------------------------------------------------------------------------------- */

static bool is_read_only_name(struct d_lowering *l, const struct d_node *node)
{
	return node->kind == D_NAME && (find_inline(l, node->text, &node->location) || d_is_built_in_name(node->text) ||
					g_hash_table_contains(l->d->enumerators, node->text));
}

/* Declare the variable of an assignment to @node by the type of the assigned value. */
static const struct d_variable *declare_by_value(struct d_lowering *l, const struct d_node *node,
						 const struct d_value *value)
{
	const struct d_node *base = node->kind == D_INDEX ? node->left : node;
	struct type *type = d_is_text(value->type) ? d_string_type() : value->type;
	struct d_variable *variable;
	GPtrArray *keys = NULL;

	if (!value->is_void && d_is_stack(type)) {
		d_fail(l, &node->location, "D_OP_DYN", _("a value of type '%s' cannot be kept in a variable"),
		       type->spelling);
		return NULL;
	}
	if (value->is_void || type->kind == KIND_FLOAT) {
		d_fail(l, &node->location, value->is_void ? "D_OP_VOID" : "D_OP_INCOMPAT",
		       value->is_void ? _("this has no value to assign")
				      : _("a floating-point number cannot be kept in a variable"));
		return NULL;
	}
	if (node->kind == D_INDEX) {
		keys = arena_ptr_array(l->arena);
		for_each_ptr(const struct d_node *, argument, node->arguments) {
			struct d_value key;

			if (!d_lower(l, argument, &key) || !check_operand(l, argument, &key))
				return NULL;
			g_ptr_array_add(keys, d_is_text(key.type) ? d_string_type() : key.type);
		}
	}
	if (type->kind == KIND_ARRAY && !d_is_string(type))
		type = d_pointer_to(l->arena, type->target);
	variable = d_new_variable(l->d, d_scope_of(base), base->text, type, keys, &base->location);
	variable->memory = value->memory;
	if ((d_is_struct(type) || d_is_addressed(l->d, variable->scope, variable->name, type)) &&
	    !d_place_variable(l->d, variable)) {
		d_fail(l, &node->location, "D_DECL_TOOBIG", _("the variables of the program are too large"));
		return NULL;
	}
	return variable;
}

/* Declare the variable that an assignment to @node changes, if it is not known. @value is NULL for x++ and x += 1. */
static bool declare_target(struct d_lowering *l, const struct d_node *node, const struct d_value *value)
{
	const struct d_node *base = node->kind == D_INDEX ? node->left : node;
	struct d_value number;

	if (!is_variable_node(base) || d_find_variable(l->d, d_scope_of(base), base->text) ||
	    (base != node && base->kind == D_NAME && !strcmp(base->text, "args")))
		return true;
	if (is_read_only_name(l, base))
		return d_fail(l, &node->location, "D_OP_WRITE", _("'%s' is read-only"), base->text);
	/* x++ declares a 64-bit integer. */
	d_number_value(&number, d_base_type(D_LONG), NULL);
	return declare_by_value(l, node, value ?: &number) != NULL;
}

/* Cut a text to the size of -x strsize, as it is kept in a variable. */
static struct expr *cut_to_size(struct d_lowering *l, struct expr *text)
{
	struct expr *call;

	if (l->d->options.string_size < 2)
		return text;
	call = call_with(l->arena, &text->location, "substr", text, build_number(l->arena, &text->location, 0));
	g_ptr_array_add(call->arguments, build_number(l->arena, &text->location, l->d->options.string_size - 1));
	return call;
}

/* Convert a value to a variable's type. Return NULL after a diagnostic. */
static struct expr *converted_value(struct d_lowering *l, const struct d_node *node, const struct d_variable *variable,
				    const struct d_value *value)
{
	struct expr *e;
	bool is_text = d_is_text(variable->type);

	if (value->is_void || d_is_struct(value->type) ||
	    (is_text && !d_is_text(value->type) && value->type->kind != KIND_POINTER &&
	     value->type->kind != KIND_INTEGER) ||
	    (!is_text && d_is_string(value->type))) {
		d_fail(l, &node->location, "D_OP_INCOMPAT", _("operands have incompatible types: \"%s\" = \"%s\""),
		       variable->type->spelling, value->is_void ? "void" : value->type->spelling);
		return NULL;
	}
	if (is_text && d_is_integer(value->type)) {
		e = d_read(l, &node->location, value);
		if (e && e->kind == EXPR_NUMBER && !e->number)
			return build_string(l->arena, &node->location, "");
		d_fail(l, &node->location, "D_OP_INCOMPAT", _("operands have incompatible types: \"%s\" = \"%s\""),
		       variable->type->spelling, value->type->spelling);
		return NULL;
	}
	if (is_text) {
		e = d_read_string(l, &node->location, value);
		return e ? cut_to_size(l, e) : NULL;
	}
	e = d_read(l, &node->location, value);
	return e ? d_convert(l, e, value->type, variable->type) : NULL;
}

static struct expr *assignment_expr(struct d_lowering *l, const struct location *at, struct expr *target,
				    struct expr *value, bool is_text)
{
	struct expr *e = expr_new(l->arena, EXPR_ASSIGN, at);

	e->left = target;
	e->right = value;
	e->type = is_text ? TYPE_STRING : TYPE_LONG;
	return e;
}

static bool lower_assignment(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_node before = {.kind = D_LOWERED, .location = node->left->location};
	struct d_node operation = {
		.kind = D_BINARY, .location = node->location, .op = node->op, .left = &before, .right = node->right};
	struct d_value value, old, again;
	struct expr *e;

	if (node->left->kind == D_AGGREGATION)
		return d_fail(l, &node->location, "D_AGG_COMP", _("an aggregation is assigned only in a statement"));
	if (node->op != OP_NONE) {
		if (!declare_target(l, node->left, NULL) || !d_lower(l, node->left, &old))
			return false;
		again = d_second_use(l, &old);
		before.value = &again;
		if (!d_lower(l, &operation, &value))
			return false;
	} else if (!d_lower(l, node->right, &value) || !declare_target(l, node->left, &value) ||
		   !d_lower(l, node->left, &old)) {
		return false;
	}
	if (!old.variable)
		return d_store(l, node->left, &old, &value, ret);
	e = converted_value(l, node->right, old.variable, &value);
	if (!e)
		return false;
	d_number_value(ret, old.variable->type,
		       assignment_expr(l, &node->location, old.expr, e, d_is_text(old.variable->type)));
	ret->memory = old.variable->memory;
	return true;
}

/* Lower x++ as x = x + 1, for a value in memory. */
static bool increment_in_memory(struct d_lowering *l, const struct d_node *node, struct d_value *old,
				struct d_value *ret)
{
	const struct d_value again = d_second_use(l, old);
	struct d_node one = {.kind = D_NUMBER, .location = node->location, .number = 1};
	struct d_node operand = {.kind = D_LOWERED, .location = node->left->location, .value = &again};
	struct d_node sum = {
		.kind = D_BINARY, .location = node->location, .op = node->op, .left = &operand, .right = &one};
	struct d_value value;
	struct expr *before, *step;

	if (!d_lower(l, &sum, &value) || !d_store(l, node->left, old, &value, ret))
		return false;
	if (!node->is_postfix)
		return true;
	step = build_number(l->arena, &node->location,
			    old->type->kind == KIND_POINTER ? (int64_t)MAX(old->type->target->size, 1) : 1);
	before = build_binary(l->arena, node->op == OP_ADD ? OP_SUBTRACT : OP_ADD, ret->expr, step);
	ret->expr = d_convert(l, before, d_base_type(D_LONG), old->type);
	return true;
}

static bool lower_increment(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *step, *e;
	struct d_value old;
	bool is_pointer;
	int64_t size = 1;

	if (!declare_target(l, node->left, NULL) || !d_lower(l, node->left, &old))
		return false;
	is_pointer = !old.is_void && old.type->kind == KIND_POINTER;
	if (!is_pointer && (old.is_void || !d_is_integer(old.type)))
		return d_fail(l, &node->location, "D_OP_SCALAR", _("a value of type '%s' cannot be incremented"),
			      old.is_void ? "void" : old.type->spelling);
	if (has_no_step(old.type))
		return d_fail(l, &node->location, "D_OP_VFPTR", _("a value of type '%s' cannot be incremented"),
			      old.type->spelling);
	if (!old.variable)
		return increment_in_memory(l, node, &old, ret);
	if (is_pointer && old.type->target->size)
		size = (int64_t)old.type->target->size;
	if (old.type->size == sizeof(int64_t) && size == 1) {
		e = expr_new(l->arena, EXPR_INCREMENT, &node->location);
		e->op = node->op;
		e->postfix = node->is_postfix;
		e->operand = old.expr;
		e->type = TYPE_LONG;
		d_number_value(ret, old.type, e);
		return true;
	}
	step = build_number(l->arena, &node->location, size);
	e = build_binary(l->arena, node->op, d_second_use(l, &old).expr, step);
	e = assignment_expr(l, &node->location, old.expr, d_convert(l, e, d_base_type(D_LONG), old.type), false);
	if (node->is_postfix)
		e = d_convert(l,
			      build_binary(l->arena, node->op == OP_ADD ? OP_SUBTRACT : OP_ADD, e,
					   expr_copy(l->arena, step)),
			      d_base_type(D_LONG), old.type);
	d_number_value(ret, old.type, e);
	ret->memory = old.variable->memory;
	return true;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool lower_cast_node(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct type *type = d_resolve_type(l, node->type);
	struct d_value value;
	struct expr *e;

	if (!type || !d_lower(l, node->left, &value))
		return false;
	if (type->kind == KIND_VOID) {
		*ret = (struct d_value){.type = type, .expr = value.expr, .is_void = true};
		return true;
	}
	if (d_is_string(type)) {
		e = d_read_string(l, &node->location, &value);
		if (!e)
			return false;
		d_number_value(ret, type, e);
		return true;
	}
	if ((d_is_struct(type) || type->kind == KIND_ARRAY || type->kind == KIND_FLOAT) ||
	    (!value.is_void && (d_is_struct(value.type) || (value.expr && d_is_string(value.type)))))
		return d_fail(l, &node->location, "D_CAST_INVAL", _("a value of type '%s' cannot be cast to '%s'"),
			      value.is_void ? "void" : value.type->spelling, type->spelling);
	e = d_read(l, &node->left->location, &value);
	if (!e)
		return false;
	if (d_is_integer(type))
		e = d_convert(l, e, value.type, type);
	*ret = (struct d_value){.type = type, .expr = e, .memory = value.memory};
	return true;
}

static bool lower_sizeof(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct type *type = node->type ? d_resolve_type(l, node->type) : NULL;
	struct d_value value;

	if (node->left && is_dynamic_object(l, node->left))
		return d_fail(l, &node->location, "D_IDENT_BADREF",
			      _("an associative array or an aggregation has no fixed size"));
	if (node->left && is_variable_node(node->left)) {
		const struct d_variable *variable = d_find_variable(l->d, d_scope_of(node->left), node->left->text);

		/* An array of numbers has no address, but a size. */
		if (variable && variable->keys)
			type = d_array_of(l->arena, variable->type, variable->count);
	}
	if (node->left && !type) {
		if (!d_lower(l, node->left, &value))
			return false;
		if (value.bit_field)
			return d_fail(l, &node->location, "D_SIZEOF_BITFIELD", _("a bit-field has no size in bytes"));
		type = value.is_void ? d_base_type(D_VOID) : value.type;
	}
	if (!type)
		return false;
	if (type->kind == KIND_VOID || type->kind == KIND_FUNCTION || type->is_declaration || d_is_stack(type))
		return d_fail(l, &node->location, "D_SIZEOF_TYPE", _("'%s' has no known size"), type->spelling);
	d_number_value(ret, d_base_type(D_ULONG), build_number(l->arena, &node->location, (int64_t)type->size));
	return true;
}

static bool lower_offsetof(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct type *type = d_resolve_type(l, node->type);
	struct member member;
	struct error *error;

	if (!type)
		return false;
	if (!d_is_struct(type))
		return d_fail(l, &node->location, "D_OFFSETOF_TYPE", _("'%s' is not a struct or union"),
			      type->spelling);
	error = debuginfo_find_member(type, node->text, &member);
	if (error) {
		error_free(error);
		return no_member(l, &node->location, "D_UNKNOWN", type, node->text);
	}
	if (member.is_bit_field)
		return d_fail(l, &node->location, "D_OFFSETOF_BITFIELD", _("'%s' is a bit-field, which has no offset"),
			      node->text);
	d_number_value(ret, d_base_type(D_ULONG), build_number(l->arena, &node->location, (int64_t)member.offset));
	return true;
}

static bool lower_stringof(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_value value;
	struct expr *e;

	if (!d_lower(l, node->left, &value))
		return false;
	if (value.is_void || d_is_struct(value.type))
		return d_fail(l, &node->location, "D_STRINGOF_TYPE", _("a value of type '%s' is not a string"),
			      value.is_void ? "void" : value.type->spelling);
	e = d_read_string(l, &node->location, &value);
	if (!e)
		return false;
	d_number_value(ret, d_string_type(), e);
	return true;
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

bool d_constant_value(struct d_lowering *l, const struct d_node *node, int64_t *ret)
{
	struct d_value value;
	struct expr *e;

	if (!d_lower(l, node, &value))
		return false;
	if (l->constant_tag && !value.is_void && !d_is_integer(value.type))
		return d_fail(l, &node->location, l->constant_tag, _("an integer constant is expected here"));
	e = d_read(l, &node->location, &value);
	if (e && e->kind == EXPR_NUMBER) {
		*ret = e->number;
		return true;
	}
	return e ? d_fail(l, &node->location, l->constant_tag ?: "D_SYNTAX", _("an integer constant is expected here"))
		 : false;
}

bool d_constant_value_as(struct d_lowering *l, const struct d_node *node, const char *tag, int64_t *ret)
{
	const char *outer = l->constant_tag;
	bool good;

	l->constant_tag = tag;
	good = d_constant_value(l, node, ret);
	l->constant_tag = outer;
	return good;
}

static bool lower_number_node(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	enum d_base base = node->is_unsigned ? (node->is_long ? D_ULONG : D_UINT) : (node->is_long ? D_LONG : D_INT);

	d_number_value(ret, d_base_type(base), build_number(l->arena, &node->location, node->number));
	return true;
}

static bool lower_string_node(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *e = build_string(l->arena, &node->location, node->text);

	d_number_value(ret, d_string_type(), e);
	return true;
}

static bool lower_comma(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct d_value ignored;
	struct expr *call;
	bool is_text;

	if (!d_lower(l, node->left, &ignored) || !d_lower(l, node->right, ret))
		return false;
	if (!ignored.expr || !d_has_effects(ignored.expr))
		return true;
	is_text = !ret->is_void && d_is_text(ret->type);
	if (ret->is_void || ret->translator || d_is_struct(ret->type) || ignored.expr->type == TYPE_STRING) {
		d_emit_expr(l, ignored.expr);
		return true;
	}
	call = build_call(l->arena, &node->location, is_text ? "__dtrace_last_text" : "__dtrace_last", ignored.expr);
	g_ptr_array_add(call->arguments, is_text ? d_read_string(l, &node->right->location, ret)
						 : d_read(l, &node->right->location, ret));
	if (l->failed)
		return false;
	*ret = (struct d_value){.type = is_text ? d_string_type() : ret->type, .expr = call, .memory = ret->memory};
	return true;
}

static bool lower_aggregation_node(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	return d_fail(l, &node->location, "D_AGG_SCALAR",
		      _("the aggregation @%s can only be assigned an aggregating function, or printed"), node->text);
}

static bool lower_again(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	*ret = *node->value;
	return true;
}

typedef bool node_lowering(struct d_lowering *l, const struct d_node *node, struct d_value *ret);

static node_lowering *const lowerings[D_NODE_KIND_COUNT_] = {
	[D_NUMBER] = lower_number_node,
	[D_STRING] = lower_string_node,
	[D_NAME] = lower_name,
	[D_SELF] = lower_name,
	[D_THIS] = lower_name,
	[D_KERNEL] = lower_kernel_symbol,
	[D_AGGREGATION] = lower_aggregation_node,
	[D_INDEX] = lower_index,
	[D_MEMBER] = lower_member,
	[D_CALL] = d_call,
	[D_NEGATE] = lower_unary,
	[D_PLUS] = lower_unary,
	[D_NOT] = lower_unary,
	[D_COMPLEMENT] = lower_unary,
	[D_DEREFERENCE] = lower_dereference,
	[D_ADDRESS] = lower_address,
	[D_STRINGOF] = lower_stringof,
	[D_SIZEOF] = lower_sizeof,
	[D_OFFSETOF] = lower_offsetof,
	[D_CAST] = lower_cast_node,
	[D_TRANSLATE] = d_translate,
	[D_BINARY] = lower_binary,
	[D_LOGICAL_XOR] = lower_binary,
	[D_CONDITIONAL] = lower_conditional,
	[D_ASSIGN] = lower_assignment,
	[D_INCREMENT] = lower_increment,
	[D_COMMA] = lower_comma,
	[D_LOWERED] = lower_again,
};

bool d_lower(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	*ret = (struct d_value){0};
	return lowerings[node->kind](l, node, ret);
}
