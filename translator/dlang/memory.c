// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values that need memory: variables that are structs or whose address is taken, and what alloca(), copyin() and
 * bcopy() give out. The areas and the checks of stores are in tapset/dlang_memory.stp. Reads need no check of
 * ours: they are those of kernel memory.
 */
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/base/i18n.h"

enum { FRAME_BYTES = 2048, STATIC_BYTES = 1 << 16, ALIGNMENT = 16 };

static struct expr *call_of(struct d_lowering *l, const struct location *at, const char *name, struct expr *a,
			    struct expr *b, struct expr *c)
{
	struct expr *const others[] = {b, c}, *call = build_call(l->arena, at, name, a);

	for (size_t i = 0; i < G_N_ELEMENTS(others) && others[i]; i++)
		g_ptr_array_add(call->arguments, others[i]);
	return call;
}

static struct expr *number(struct d_lowering *l, const struct location *at, uint64_t value)
{
	return build_number(l->arena, at, (int64_t)value);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

/* Are the places of the variable made when they are used, one for each thread or key? */
static bool is_dynamic(const struct d_variable *variable)
{
	return variable->scope == D_THREAD_SCOPE || variable->keys;
}

bool d_is_addressed(const struct d_translation *d, enum d_scope scope, const char *name, const struct type *type)
{
	if (type->kind == KIND_ARRAY)
		return false;
	for_each_ptr(const struct d_node *, node, d->program->addressed)
		if (d_scope_of(node) == scope && !strcmp(node->text, name))
			return true;
	return false;
}

bool d_place_variable(struct d_translation *d, struct d_variable *variable)
{
	uint64_t size = (variable->type->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	bool is_local = variable->scope == D_CLAUSE_SCOPE;
	uint64_t *used = is_local ? &d->frame_used : &d->static_used;

	variable->in_memory = true;
	if (is_dynamic(variable))
		return true;
	d_undeclare_global(d, variable->symbol);
	variable->offset = *used;
	*used += size;
	return *used <= (is_local ? FRAME_BYTES : STATIC_BYTES);
}

static struct expr *assignment(struct d_lowering *l, struct expr *left, struct expr *right)
{
	struct expr *e = expr_new(l->arena, EXPR_ASSIGN, &left->location);

	e->left = left;
	e->right = right;
	e->type = left->type;
	return e;
}

/*
 * Return a second use of an expression that is evaluated once: if it has effects, the first use assigns it to a local
 * of the handler.
 */
static struct expr *second_use(struct d_lowering *l, struct expr **first)
{
	const bool is_text = (*first)->type == TYPE_STRING;
	struct expr *local;

	if (!d_has_effects(*first))
		return expr_copy(l->arena, *first);
	local = d_symbol_expr(l, &(*first)->location,
			      arena_printf(l->arena, is_text ? "d_text_%u" : "d_number_%u", l->temporaries++),
			      is_text ? TYPE_STRING : TYPE_LONG);
	*first = assignment(l, local, *first);
	return expr_copy(l->arena, local);
}

/* The same for an element of an array: its keys are evaluated once. */
static struct expr *second_use_of_element(struct d_lowering *l, struct expr *element)
{
	struct expr *second = expr_copy(l->arena, element);

	for (guint i = 0; i < element->arguments->len; i++)
		second->arguments->pdata[i] = second_use(l, (struct expr **)&element->arguments->pdata[i]);
	return second;
}

struct d_value d_second_use(struct d_lowering *l, struct d_value *target)
{
	struct d_value second = *target;
	struct typed_value outer;

	if (!target->place.address) {
		if (target->expr)
			second.expr = target->expr->kind == EXPR_INDEX ? second_use_of_element(l, target->expr)
								       : expr_copy(l->arena, target->expr);
		return second;
	}
	second.place.address = second_use(l, &target->place.address);
	if (!target->bit_field)
		return second;
	outer = second.place;
	outer.address =
		build_binary(l->arena, OP_SUBTRACT, expr_copy(l->arena, second.place.address),
			     build_number(l->arena, &outer.address->location, (int64_t)target->bit_field->offset));
	member_value(l->arena, &outer, target->bit_field, &second.expr);
	return second;
}

/*
 * Return the block of an element, or a new one, or memory that the handler forgets if there is no room for a block or
 * for the element:
 *
 *     element ? element : (d_block = new block) ? kept(element = d_block, size, element) : dropped(size)
 */
static struct expr *dynamic_place(struct d_lowering *l, const struct location *at, const struct d_variable *variable,
				  const GPtrArray *keys)
{
	struct expr *element = d_variable_expr(l, at, variable, keys), *block, *kept;
	struct expr *again = second_use_of_element(l, element);
	const uint64_t size = variable->type->size;

	block = call_of(l, at, "__dtrace_block", number(l, at, size), number(l, at, l->d->static_used), NULL);
	kept = call_of(l, at, "__dtrace_kept",
		       assignment(l, expr_copy(l->arena, again), d_symbol_expr(l, at, "d_block", TYPE_LONG)),
		       number(l, at, size), expr_copy(l->arena, again));
	block = build_conditional(l->arena, assignment(l, d_symbol_expr(l, at, "d_block", TYPE_LONG), block), kept,
				  call_of(l, at, "__dtrace_dropped", number(l, at, size), NULL, NULL));
	return build_conditional(l->arena, element, again, block);
}

void d_memory_variable(struct d_lowering *l, const struct location *at, const struct d_variable *variable,
		       const GPtrArray *keys, struct d_value *ret)
{
	struct expr *address;

	if (is_dynamic(variable))
		address = dynamic_place(l, at, variable, keys);
	else
		address = call_of(l, at, variable->scope == D_CLAUSE_SCOPE ? "__dtrace_frame" : "__dtrace_static",
				  number(l, at, variable->offset), NULL, NULL);
	*ret = (struct d_value){.type = variable->type,
				.memory = MEMORY_KERNEL,
				.place = {.type = variable->type, .memory = MEMORY_KERNEL, .address = address}};
}

/* ---- stores ------------------------------------------------------------------------------------------------------ */

/* Return the first operand of a chain such as a->b[1].c. */
static const struct d_node *root_of(const struct d_node *node)
{
	while (node->left && node->kind != D_CALL)
		node = node->left;
	return node;
}

/* Is it memory of the kernel, as the program says itself? */
static bool is_of_kernel(const struct d_node *node)
{
	const struct d_node *root = root_of(node);

	return root->kind == D_KERNEL ||
	       (root->kind == D_NAME && (!strcmp(root->text, "curthread") || !strcmp(root->text, "args")));
}

static bool store_struct(struct d_lowering *l, const struct d_node *node, const struct d_value *to,
			 const struct d_value *value)
{
	struct expr *call;

	if (value->is_void || !d_same_type(value->type, to->type) || !value->place.address)
		return d_fail(l, &node->location, "D_OP_INCOMPAT", _("cannot assign a value of type '%s' to '%s'"),
			      value->is_void ? "void" : value->type->spelling, to->type->spelling);
	call = call_of(l, &node->location, "__dtrace_copy", value->place.address, to->place.address,
		       number(l, &node->location, to->type->size));
	g_ptr_array_add(call->arguments, number(l, &node->location, value->place.memory == MEMORY_USER));
	d_emit_expr(l, call);
	return true;
}

static bool store_number(struct d_lowering *l, const struct d_node *node, const struct d_value *to,
			 const struct d_value *value, struct d_value *ret)
{
	const struct location *at = &node->location;
	struct expr *e, *call;

	if (value->is_void || d_is_struct(value->type) || (d_is_string(value->type) && value->expr))
		return d_fail(l, at, "D_OP_INCOMPAT", _("cannot assign a value of type '%s' to '%s'"),
			      value->is_void ? "void" : value->type->spelling, to->type->spelling);
	e = d_read(l, at, value);
	if (!e)
		return false;
	e = d_convert(l, e, value->type, to->type);
	if (to->bit_field) {
		call = call_of(l, at, "__dtrace_store_bits", to->place.address,
			       number(l, at, (uint64_t)to->bit_field->storage_size),
			       number(l, at, (uint64_t)to->bit_field->bit_offset));
		g_ptr_array_add(call->arguments, number(l, at, (uint64_t)to->bit_field->bit_size));
		g_ptr_array_add(call->arguments, e);
	} else {
		call = call_of(l, at, "__dtrace_store", to->place.address, number(l, at, to->type->size), e);
	}
	d_number_value(ret, to->type, call);
	ret->memory = value->memory;
	return true;
}

bool d_store(struct d_lowering *l, const struct d_node *node, const struct d_value *to, const struct d_value *value,
	     struct d_value *ret)
{
	struct expr *text;

	if (!to->place.address || to->place.memory == MEMORY_USER || is_of_kernel(node)) {
		d_fail(l, &node->location, to->place.address ? "D_OP_WRITE" : "D_OP_LVAL",
		       to->place.address ? _("this memory is read-only") : _("this cannot be assigned to"));
		if (!to->is_void && (!to->expr || to->bit_field))
			diagnose_hint(l->t->diagnostics,
				      _("D programs can only write to their variables and to memory of alloca()"));
		return false;
	}
	if (to->type->kind == KIND_ARRAY && !d_is_text(to->type))
		return d_fail(l, &node->location, "D_OP_ARRFUN", _("an array cannot be assigned to"));
	if (d_is_struct(to->type)) {
		*ret = *to;
		return store_struct(l, node, to, value);
	}
	if (!d_is_text(to->type))
		return store_number(l, node, to, value, ret);
	text = value->is_void || !d_is_text(value->type) ? NULL : d_read_string(l, &node->location, value);
	if (!text)
		return d_fail(l, &node->location, "D_OP_INCOMPAT", _("cannot assign a value of type '%s' to '%s'"),
			      value->is_void ? "void" : value->type->spelling, to->type->spelling);
	d_emit_expr(l, call_of(l, &node->location, "__dtrace_store_text", to->place.address,
			       number(l, &node->location, to->type->size), text));
	*ret = *to;
	return true;
}

/* ---- subroutines ------------------------------------------------------------------------------------------------- */

static const struct d_node *argument(const struct d_node *node, guint index)
{
	return g_ptr_array_index(node->arguments, index);
}

static struct expr *limit(struct d_lowering *l, const struct d_node *node)
{
	l->uses_scratch = true;
	return build_number(l->arena, &node->location, l->d->options.scratch_size);
}

static void scratch_pointer(struct d_lowering *l, struct expr *call, struct d_value *ret)
{
	d_number_value(ret, d_pointer_to(l->arena, d_base_type(D_VOID)), call);
}

/* alloca(size) */
bool d_alloca(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *size = d_lower_argument(l, node, 0, NULL);

	if (!size)
		return false;
	if (size->kind == EXPR_NUMBER && (size->number < 0 || size->number > l->d->options.scratch_size)) {
		d_fail(l, &node->location, "D_ALLOCA_SIZE", _("alloca() of %lld bytes exceeds the scratch memory"),
		       (long long)size->number);
		diagnose_hint(l->t->diagnostics, _("set its size with -x scratchsize=BYTES; now it is %lld"),
			      (long long)l->d->options.scratch_size);
		return false;
	}
	scratch_pointer(l, call_of(l, &node->location, "__dtrace_alloca", size, limit(l, node), NULL), ret);
	return true;
}

/* copyin(address, size) */
bool d_copyin(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *address = d_lower_argument(l, node, 0, NULL);
	struct expr *size = address ? d_lower_argument(l, node, 1, NULL) : NULL;

	if (!size)
		return false;
	scratch_pointer(l, call_of(l, &node->location, "__dtrace_copyin", address, size, limit(l, node)), ret);
	return true;
}

static bool emit_copy(struct d_lowering *l, const struct d_node *node, struct expr *from, struct expr *to,
		      struct expr *size, bool is_user, struct d_value *ret)
{
	struct expr *call = call_of(l, &node->location, "__dtrace_copy", from, to, size);

	g_ptr_array_add(call->arguments, build_number(l->arena, &node->location, is_user));
	l->uses_scratch = true;
	*ret = (struct d_value){.type = d_base_type(D_VOID), .expr = call, .is_void = true};
	return true;
}

/* copyinto(address, size, destination) */
bool d_copyinto(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *from = d_lower_argument(l, node, 0, NULL);
	struct expr *size = from ? d_lower_argument(l, node, 1, NULL) : NULL;
	struct expr *to = size ? d_lower_argument(l, node, 2, NULL) : NULL;

	return to && emit_copy(l, node, from, to, size, true, ret);
}

/* bcopy(source, destination, size) */
bool d_bcopy(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct expr *from, *to, *size;
	struct d_value source;

	if (!d_lower(l, argument(node, 0), &source))
		return false;
	if (source.is_void || !(d_is_address(source.type) || d_is_text(source.type)))
		return d_fail(l, &node->location, "D_PROTO_ARG",
			      _("bcopy() requires a pointer as its source, not '%s'"),
			      source.is_void ? "void" : source.type->spelling);
	from = d_read(l, &node->location, &source);
	to = from ? d_lower_argument(l, node, 1, NULL) : NULL;
	size = to ? d_lower_argument(l, node, 2, NULL) : NULL;
	if (!size)
		return false;
	if (d_is_string(source.type) && source.expr) {
		l->uses_scratch = true;
		*ret = (struct d_value){.type = d_base_type(D_VOID),
					.expr = call_of(l, &node->location, "__dtrace_copy_text", from, to, size),
					.is_void = true};
		return true;
	}
	return emit_copy(l, node, from, to, size, source.memory == MEMORY_USER, ret);
}

/* copyout(buffer, address, size), copyoutstr(text, address, size) */
bool d_copyout(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	bool is_text = !strcmp(node->text, "copyoutstr");
	struct expr *from = is_text ? d_lower_string(l, argument(node, 0)) : d_lower_argument(l, node, 0, NULL);
	struct expr *to = from ? d_lower_argument(l, node, 1, NULL) : NULL;
	struct expr *size = to ? d_lower_argument(l, node, 2, NULL) : NULL;

	if (!size)
		return false;
	*ret = (struct d_value){.type = d_base_type(D_VOID),
				.expr = call_of(l, &node->location,
						is_text ? "__dtrace_copyoutstr" : "__dtrace_copyout", from, to, size),
				.is_void = true};
	return true;
}
