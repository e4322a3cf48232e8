// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Declarations of a D program: the types that it names, its variables, enumerators and translators. Types that the
 * program does not declare are those of the kernel.
 */
#include "translator/dlang/lower.h"

#include "common/base/i18n.h"
#include "translator/dlang/solaris_names.h"
#include "translator/lowering/type_modules.h"

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* Types of the D language that have another name in the kernel. */
static const struct {
	const char *name, *kernel_name;
} kernel_names[] = {{"in6_addr_t", "struct in6_addr"}};

static const char *kernel_name(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kernel_names); i++)
		if (!strcmp(name, kernel_names[i].name))
			return kernel_names[i].kernel_name;
	return name;
}

/* Find a type of the kernel. */
static struct type *kernel_type(struct d_lowering *l, const struct d_written_type *written, const char *name)
{
	struct derived_probe *probe = l->place ? l->place->derived : NULL;
	struct type *type = NULL;
	struct error *error = find_named_type(l->t, probe, kernel_name(name), NULL, &type);

	if (!error) {
		g_hash_table_insert(l->d->types, (void *)name, type);
		return type;
	}
	if (error->code == ERROR_LOOKUP) {
		d_fail(l, &written->location, l->unknown_type_tag ?: "D_TYPE_ERR", _("unknown type '%s'"), name);
		diagnose_hint_of(l->t->diagnostics, error);
		d_hint_linux_name(l->t->diagnostics, name);
		error_free(error);
	} else {
		l->failed = true;
		translation_report(l->t, &written->location, error);
	}
	return NULL;
}

static const char *const tag_words[D_WRITTEN_COUNT_] = {
	[D_WRITTEN_STRUCT] = "struct", [D_WRITTEN_UNION] = "union", [D_WRITTEN_ENUM] = "enum"};

static const char *tag_name(struct d_lowering *l, const struct d_written_type *written)
{
	return arena_printf(l->arena, "%s %s", tag_words[written->kind], written->name);
}

/* Evaluate the size of an array. */
static bool array_size(struct d_lowering *l, const struct d_node *node, int64_t *ret)
{
	if (!d_constant_value_as(l, node, "D_DECL_ARRSUB", ret))
		return false;
	return (*ret > 0 && *ret <= INT32_MAX) ||
	       d_fail(l, &node->location, *ret > 0 ? "D_DECL_ARRBIG" : "D_DECL_ARRSUB",
		      _("the size of an array must be from 1 to %d"), INT32_MAX);
}

/* Evaluate the width of a bit-field. */
static bool bit_width(struct d_lowering *l, const struct d_declarator *member, const struct type *type, int64_t *ret)
{
	const struct location *at = &member->bits->location;

	if (!d_is_integer(type))
		return d_fail(l, at, "D_DECL_BFTYPE", _("a bit-field cannot be of type '%s'"), type->spelling);
	if (!d_constant_value_as(l, member->bits, "D_DECL_BFCONST", ret))
		return false;
	if (*ret < 0 || (!*ret && member->name))
		return d_fail(l, at, "D_DECL_BFCONST", _("the width of a bit-field must be positive"));
	return *ret <= (int64_t)type->size * 8
		       ? true
		       : d_fail(l, at, "D_DECL_BFSIZE", _("the width of a bit-field of type '%s' must be from 1 to %d"),
				type->spelling, (int)type->size * 8);
}

static bool add_member(struct d_lowering *l, struct d_layout *layout, const struct d_declarator *member)
{
	struct type *type = d_resolve_type(l, member->type);
	int64_t width = 0;

	if (!type || (member->bits && !bit_width(l, member, type, &width)))
		return false;
	for_each_ptr(const struct member *, other, layout->members)
		if (other->name && member->name && !strcmp(other->name, member->name))
			return d_fail(l, &member->location, "D_UNKNOWN", _("the member '%s' is declared twice"),
				      member->name);
	if (type->kind == KIND_VOID || type->kind == KIND_FUNCTION || type->is_declaration)
		return d_fail(l, &member->location, type->kind == KIND_VOID ? "D_DECL_VOIDOBJ" : "D_DECL_INCOMPLETE",
			      _("a member cannot be of type '%s'"), type->spelling);
	return d_layout_add(layout, member->name, type, (unsigned int)width) ||
	       d_fail(l, &member->location, "D_DECL_BFTYPE", _("invalid type or width of the bit-field"));
}

static struct type *new_type(struct d_lowering *l, enum type_kind kind, const struct d_written_type *written)
{
	struct type *type = arena_new0(l->arena, struct type);

	type->kind = kind;
	type->name = written->name;
	type->spelling =
		written->name ? tag_name(l, written) : arena_printf(l->arena, "%s {...}", tag_words[written->kind]);
	return type;
}

static struct type *define_struct(struct d_lowering *l, const struct d_written_type *written, struct type *type)
{
	struct d_layout layout = {
		.arena = l->arena, .is_union = written->kind == D_WRITTEN_UNION, .members = arena_ptr_array(l->arena)};

	type->is_declaration = true;
	for_each_ptr(const struct d_declarator *, member, written->members)
		if (!add_member(l, &layout, member))
			return NULL;
	type->is_declaration = false;
	d_layout_finish(&layout, type);
	return type;
}

/* Does the enumeration itself have another enumerator of the same name? */
static bool is_own_enumerator(const struct d_written_type *written, const struct d_enumerator *enumerator)
{
	for_each_ptr(const struct d_enumerator *, other, written->enumerators)
		if (other != enumerator && !strcmp(other->name, enumerator->name))
			return true;
	return false;
}

static struct type *define_enum(struct d_lowering *l, const struct d_written_type *written, struct type *type)
{
	int64_t next = 0;

	type->size = sizeof(int32_t);
	type->is_signed = true;
	for_each_ptr(const struct d_enumerator *, enumerator, written->enumerators) {
		if (enumerator->value && !d_constant_value_as(l, enumerator->value, "D_DECL_ENCONST", &next))
			return NULL;
		if (next > INT32_MAX || next < INT32_MIN) {
			d_fail(l, &enumerator->location, "D_DECL_ENOFLOW", _("the value of '%s' exceeds 32 bits"),
			       enumerator->name);
			return NULL;
		}
		if (g_hash_table_contains(l->d->enumerators, enumerator->name)) {
			d_fail(l, &enumerator->location,
			       is_own_enumerator(written, enumerator) ? "D_UNKNOWN" : "D_DECL_IDRED",
			       _("'%s' is declared twice"), enumerator->name);
			return NULL;
		}
		g_hash_table_insert(l->d->enumerators, (void *)enumerator->name,
				    build_number(l->arena, &enumerator->location, next++));
	}
	return type;
}

static struct type *tagged_type(struct d_lowering *l, const struct d_written_type *written)
{
	const char *name = written->name ? tag_name(l, written) : NULL;
	/* An anonymous type is found by where it is written. */
	const char *key = name ?: arena_printf(l->arena, "%p", (const void *)written);
	struct type *type = g_hash_table_lookup(l->d->types, key);

	if (type && (written->members || written->enumerators) && written->name && !type->is_declaration &&
	    g_hash_table_lookup(l->d->definitions, key) != written) {
		d_fail(l, &written->location, "D_DECL_TYPERED", _("'%s' is defined twice"), key);
		return NULL;
	}
	if (type && (!(written->members || written->enumerators) || !type->is_declaration))
		return type;
	if (!written->members && !written->enumerators)
		return kernel_type(l, written, name);
	if (!type) {
		type = new_type(l,
				written->kind == D_WRITTEN_ENUM	    ? KIND_ENUM
				: written->kind == D_WRITTEN_STRUCT ? KIND_STRUCT
								    : KIND_UNION,
				written);
		g_hash_table_insert(l->d->types, (void *)key, type);
	}
	g_hash_table_insert(l->d->definitions, (void *)key, (void *)written);
	return written->enumerators ? define_enum(l, written, type) : define_struct(l, written, type);
}

static struct type *named_type(struct d_lowering *l, const struct d_written_type *written)
{
	struct type *type = g_hash_table_lookup(l->d->types, written->name) ?: d_built_in_type(written->name);

	return type ?: kernel_type(l, written, written->name);
}

static struct type *array_type(struct d_lowering *l, const struct d_written_type *written)
{
	struct type *element = d_resolve_type(l, written->target);
	int64_t count = 0;

	if (!element || (written->count && !array_size(l, written->count, &count)))
		return NULL;
	return d_array_of(l->arena, element, (uint64_t)count);
}

static struct type *function_type(struct d_lowering *l)
{
	struct type *type = arena_new0(l->arena, struct type);

	type->kind = KIND_FUNCTION;
	type->spelling = "void ()";
	return type;
}

static bool is_tag(const struct d_written_type *written)
{
	return written->kind == D_WRITTEN_STRUCT || written->kind == D_WRITTEN_UNION;
}

static struct type *incomplete_type(struct d_lowering *l, const struct d_written_type *written)
{
	struct type *type = new_type(l, written->kind == D_WRITTEN_STRUCT ? KIND_STRUCT : KIND_UNION, written);

	type->is_declaration = true;
	g_hash_table_insert(l->d->types, (void *)tag_name(l, written), type);
	return type;
}

/* Resolve the target of a pointer or typedef, of which the name is enough. */
static struct type *named_target(struct d_lowering *l, const struct d_written_type *written)
{
	size_t mark = diagnostics_mark(l->t->diagnostics);
	struct type *type = d_resolve_type(l, written);

	if (type || !is_tag(written) || written->members)
		return type;
	/* C allows pointers to structures that are declared nowhere. */
	diagnostics_rewind(l->t->diagnostics, mark);
	l->failed = false;
	return incomplete_type(l, written);
}

struct type *d_resolve_type(struct d_lowering *l, const struct d_written_type *written)
{
	struct type *type;

	switch (written->kind) {
	case D_WRITTEN_BASE:
		return d_built_in_type(written->name);
	case D_WRITTEN_NAME:
		return named_type(l, written);
	case D_WRITTEN_STRUCT:
	case D_WRITTEN_UNION:
	case D_WRITTEN_ENUM:
		return tagged_type(l, written);
	case D_WRITTEN_POINTER:
		type = named_target(l, written->target);
		return type ? d_pointer_to(l->arena, type) : NULL;
	case D_WRITTEN_ARRAY:
		return array_type(l, written);
	case D_WRITTEN_FUNCTION:
		return function_type(l);
	case D_WRITTEN_ASSOCIATIVE:
		d_fail(l, &written->location, "D_DECL_DYNOBJ", _("only a variable can be an associative array"));
		break;
	case D_WRITTEN_COUNT_:
		break;
	}
	return NULL;
}

bool d_same_type(const struct type *a, const struct type *b)
{
	while (a && b && a->kind == KIND_POINTER && b->kind == KIND_POINTER) {
		a = a->target;
		b = b->target;
	}
	if (!a || !b || a->kind != b->kind)
		return false;
	if (d_is_integer(a))
		return a->size == b->size && a->is_signed == b->is_signed;
	return a == b || (a->name && b->name ? !strcmp(a->name, b->name) : !g_strcmp0(a->spelling, b->spelling));
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static GPtrArray *key_types(struct d_lowering *l, const struct d_written_type *written)
{
	GPtrArray *keys = arena_ptr_array(l->arena);

	for_each_ptr(const struct d_written_type *, one, written->keys) {
		struct type *type = d_resolve_type(l, one);

		if (!type)
			return NULL;
		if (d_is_struct(type) || type->kind == KIND_VOID) {
			d_fail(l, &one->location,
			       type->kind != KIND_VOID	? "D_DECL_PROTO_TYPE"
			       : written->keys->len > 1 ? "D_DECL_PROTO_VOID"
							: "D_DECL_PROTO_TYPE",
			       _("a key cannot be of type '%s'"), type->spelling);
			return NULL;
		}
		g_ptr_array_add(keys, type);
	}
	return keys;
}

/* Check the type of a variable. */
static bool check_variable_type(struct d_lowering *l, const struct d_declarator *declarator, const struct type *type)
{
	if (type->kind == KIND_VOID)
		return d_fail(l, &declarator->location, "D_DECL_VOIDOBJ", _("'%s' cannot be of type void"),
			      declarator->name);
	if (type->is_declaration)
		return d_fail(l, &declarator->location, "D_DECL_INCOMPLETE", _("the type '%s' of '%s' is not defined"),
			      type->spelling, declarator->name);
	if (type->kind == KIND_FLOAT || type->kind == KIND_FUNCTION)
		return d_fail(l, &declarator->location, "D_DECL_TYPERR", _("variables of type '%s' are not supported"),
			      type->spelling);
	return true;
}

/* Does a variable need memory? A large array of numbers, or an array of strings, is an array of the tree. */
static bool needs_memory(enum d_scope scope, const struct type *type, const GPtrArray *keys)
{
	enum { LARGEST_LOCAL = 1024, LARGEST_THREAD = 4096, LARGEST = 16384 };

	if (type->kind != KIND_ARRAY)
		return d_is_struct(type);
	if (d_is_string(type) || d_is_string(type->target) || (keys && d_is_text(type)))
		return false;
	if (d_is_text(type) && scope == D_THREAD_SCOPE)
		return false;
	return type->target->kind == KIND_ARRAY || d_is_struct(type->target) ||
	       type->size <= (scope == D_CLAUSE_SCOPE	? LARGEST_LOCAL
			      : scope == D_THREAD_SCOPE ? LARGEST_THREAD
							: LARGEST);
}

static bool declare_variable(struct d_lowering *l, const struct d_variable_declaration *declaration)
{
	const struct d_declarator *declarator = declaration->declarator;
	const struct d_written_type *written = declarator->type;
	struct d_variable *variable;
	GPtrArray *keys = NULL;
	bool is_in_memory;
	struct type *type;

	/* A declaration of a function is external, because D programs define no functions. */
	if (declaration->is_external || written->kind == D_WRITTEN_FUNCTION)
		return true;
	if (d_find_variable(l->d, declaration->scope, declarator->name) ||
	    (declaration->scope == D_GLOBAL_SCOPE && d_is_variable_name(l, &declarator->location, declarator->name)))
		return d_fail(l, &declarator->location, "D_DECL_IDRED", _("'%s' is declared twice"), declarator->name);
	if (written->kind == D_WRITTEN_ASSOCIATIVE) {
		keys = key_types(l, written);
		if (!keys)
			return false;
		written = written->target;
	}
	l->unknown_type_tag = written->kind == D_WRITTEN_NAME ? NULL : "D_DECL_INCOMPLETE";
	type = d_resolve_type(l, written);
	l->unknown_type_tag = NULL;
	if (!type)
		return false;
	if (type->kind == KIND_ARRAY && !type->count && !d_is_string(type))
		return d_fail(l, &declarator->location, "D_DECL_ARRNULL", _("the array '%s' requires a size"),
			      declarator->name);
	if (declaration->scope == D_CLAUSE_SCOPE && keys)
		return d_fail(l, &declarator->location, "D_DECL_LOCASSC",
			      _("a clause-local variable cannot be an associative array"));
	variable = NULL;
	is_in_memory = needs_memory(declaration->scope, type, keys) ||
		       d_is_addressed(l->d, declaration->scope, declarator->name, type);
	if (type->kind == KIND_ARRAY && !is_in_memory && !d_is_text(type) && !keys) {
		keys = arena_ptr_array(l->arena);
		g_ptr_array_add(keys, d_base_type(D_LONG));
		variable = d_new_variable(l->d, declaration->scope, declarator->name, type->target, keys,
					  &declarator->location);
		variable->count = type->count;
		type = type->target;
	}
	if (!check_variable_type(l, declarator, type))
		return false;
	if (!variable)
		variable = d_new_variable(l->d, declaration->scope, declarator->name,
					  d_is_text(type) && !is_in_memory ? d_string_type() : type, keys,
					  &declarator->location);
	if (is_in_memory && !d_place_variable(l->d, variable))
		return d_fail(l, &declarator->location, "D_DECL_TOOBIG",
			      _("the variables of the program are too large"));
	return true;
}

/* ---- translators ------------------------------------------------------------------------------------------------- */

static const struct d_translator *find_translator(struct d_lowering *l, struct type *output, const struct type *input)
{
	const struct type *plain = output->kind == KIND_POINTER ? output->target : output;

	for_each_ptr(const struct d_translator *, translator, l->d->program->translators) {
		struct type *to = d_resolve_type(l, translator->output);
		struct type *from = to ? d_resolve_type(l, translator->input) : NULL;

		if (from && d_same_type(to, plain) &&
		    (d_same_type(from, input) || (d_is_integer(from) && d_is_integer(input))))
			return translator;
	}
	return NULL;
}

bool d_translate_value(struct d_lowering *l, const struct location *at, struct type *output,
		       const struct d_value *value, struct d_value *ret)
{
	const struct d_translator *translator = find_translator(l, output, value->type);
	struct d_value *input;

	if (!translator)
		return d_fail(l, at, "D_XLATE_NONE", _("no translator makes '%s' from '%s'"), output->spelling,
			      value->type->spelling);
	input = arena_new0(l->arena, struct d_value);
	*input = *value;
	*ret = (struct d_value){.type = output, .translator = translator, .input = input};
	return true;
}

bool d_translate(struct d_lowering *l, const struct d_node *node, struct d_value *ret)
{
	struct type *output = d_resolve_type(l, node->type);
	struct d_value value;

	if (!output || !d_lower(l, node->left, &value))
		return false;
	if (!d_is_struct(output) && !(output->kind == KIND_POINTER && d_is_struct(output->target)))
		return d_fail(l, &node->location, "D_XLATE_SOU", _("'%s' is not a struct or union"), output->spelling);
	if (value.is_void)
		return d_fail(l, &node->location, "D_OP_VOID", _("this has no value"));
	return d_translate_value(l, &node->location, output, &value, ret);
}

bool d_translated_member(struct d_lowering *l, const struct d_node *node, const struct d_value *outer,
			 struct d_value *ret)
{
	const struct d_translator *translator = outer->translator;
	const struct d_binding input = {.name = translator->input_name, .value = *outer->input};
	struct type *output = outer->type->kind == KIND_POINTER ? outer->type->target : outer->type;
	struct member member;
	struct error *error;
	bool good;

	for (guint i = 0; i < translator->names->len; i++) {
		struct expr *e;

		if (strcmp(g_ptr_array_index(translator->names, i), node->text))
			continue;
		error = debuginfo_find_member(output, node->text, &member);
		if (error) {
			d_fail(l, &node->location, "D_XLATE_MEMB", "%s", error->message);
			error_free(error);
			return false;
		}
		good = d_expand(l, &node->location, node->text, g_ptr_array_index(translator->values, i), &input, 1,
				ret);
		if (!good || ret->translator || d_is_text(ret->type) || d_is_text(member.type))
			return good;
		e = d_read(l, &node->location, ret);
		if (!e)
			return false;
		if (d_is_integer(member.type))
			e = d_convert(l, e, ret->type, member.type);
		*ret = (struct d_value){.type = member.type, .expr = e, .memory = ret->memory};
		return true;
	}
	return d_fail(l, &node->location, "D_XLATE_NOCONV", _("the translator does not set the member '%s'"),
		      node->text);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* Check the members of a translator, and that it is the only one of its types. */
static bool check_translator(struct d_lowering *l, guint index)
{
	const struct d_translator *translator = g_ptr_array_index(l->d->program->translators, index);
	struct type *to = d_resolve_type(l, translator->output);
	struct type *from = to ? d_resolve_type(l, translator->input) : NULL;

	if (!from)
		return false;
	if (!d_is_struct(to))
		return d_fail(l, &translator->location, "D_XLATE_SOU", _("'%s' is not a struct or union"),
			      to->spelling);
	for (guint i = 0; i < translator->names->len; i++) {
		const struct d_node *value = g_ptr_array_index(translator->values, i);
		const char *name = g_ptr_array_index(translator->names, i);
		struct member member;
		struct error *error = debuginfo_find_member(to, name, &member);

		if (error) {
			error_free(error);
			return d_fail(l, &value->location, "D_XLATE_MEMB", _("%s is not a member of %s"), name,
				      to->spelling);
		}
		if ((value->kind == D_STRING && d_is_integer(member.type)) ||
		    (value->kind == D_NUMBER && d_is_struct(member.type)))
			return d_fail(l, &value->location, "D_XLATE_INCOMPAT",
				      _("the value of '%s' is incompatible with its type '%s'"), name,
				      member.type->spelling);
	}
	for (guint i = 0; i < index; i++) {
		const struct d_translator *other = g_ptr_array_index(l->d->program->translators, i);
		struct type *other_to = d_resolve_type(l, other->output);
		struct type *other_from = other_to ? d_resolve_type(l, other->input) : NULL;

		if (other_from && d_same_type(to, other_to) && d_same_type(from, other_from))
			return d_fail(l, &translator->location, "D_XLATE_REDECL",
				      _("a translator from '%s' to '%s' exists already"), from->spelling, to->spelling);
	}
	return true;
}

/* Check the translators of the program itself; those of the library are known to be good. */
static bool check_translators(struct d_lowering *l)
{
	GPtrArray *translators = l->d->program->translators;

	for (guint i = 0; i < translators->len; i++) {
		const struct d_translator *translator = g_ptr_array_index(translators, i);

		if (d_is_of_user(l, &translator->location) && !check_translator(l, i))
			return false;
	}
	return true;
}

/* Check that the program's inlines have names of their own. */
static bool check_inlines(struct d_lowering *l)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for_each_ptr(const struct d_inline *, one, l->d->program->inlines) {
		const struct d_declarator *declarator = one->declarator;

		if (!d_is_of_user(l, &declarator->location))
			continue;
		if (!g_hash_table_add(names, (void *)declarator->name) || d_is_built_in_name(declarator->name) ||
		    d_find_variable(l->d, D_GLOBAL_SCOPE, declarator->name))
			return d_fail(l, &declarator->location, "D_DECL_IDRED", _("'%s' is declared twice"),
				      declarator->name);
	}
	return true;
}

/* Define the program's structs, unions and enumerations, from number *next to those before @p end. */
static bool declare_types(struct d_lowering *l, guint *next, guint end)
{
	for (; *next < end; ++*next) {
		const struct d_written_type *written = g_ptr_array_index(l->d->program->types, *next);

		/* Members are resolved inside of the type that contains them. */
		if ((written->name || written->enumerators) && !tagged_type(l, written))
			return false;
	}
	return true;
}

/* A typedef may name a struct that the program defines later. */
static void declare_tag(struct d_lowering *l, const struct d_written_type *written)
{
	while (written->target)
		written = written->target;
	if (!is_tag(written) || written->members || !written->name ||
	    g_hash_table_contains(l->d->types, tag_name(l, written)))
		return;
	for_each_ptr(const struct d_written_type *, other, l->d->program->types)
		if (other->kind == written->kind && !g_strcmp0(other->name, written->name) && other->members) {
			incomplete_type(l, written);
			return;
		}
}

static bool declare_typedef(struct d_lowering *l, const struct d_declarator *declarator)
{
	const struct type *known = g_hash_table_lookup(l->d->types, declarator->name);
	struct type *type;

	declare_tag(l, declarator->type);
	type = named_target(l, declarator->type);
	if (!type)
		return false;
	if (known && !d_same_type(known, type))
		return d_fail(l, &declarator->location, "D_DECL_TYPERED", _("'%s' is defined twice"), declarator->name);
	g_hash_table_insert(l->d->types, (void *)declarator->name, type);
	return true;
}

bool d_declare_all(struct d_lowering *l)
{
	guint next = 0;

	/* Types and typedefs use each other, in the order of the program. */
	for_each_ptr(const struct d_declarator *, declarator, l->d->program->typedefs)
		if (!declare_types(l, &next, declarator->types_before) || !declare_typedef(l, declarator))
			return false;
	if (!declare_types(l, &next, l->d->program->types->len))
		return false;
	for_each_ptr(const struct d_variable_declaration *, variable, l->d->program->variables)
		if (!declare_variable(l, variable))
			return false;
	return check_inlines(l) && check_translators(l);
}
