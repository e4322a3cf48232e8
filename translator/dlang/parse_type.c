// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types and declarators of D, as in C. The names of the program's own typedefs are known; a name of the kernel is a
 * type where the syntax allows nothing else.
 */
#include "translator/dlang/parser.h"

#include "common/base/i18n.h"
#include "translator/dlang/types.h"

/* Words of base types, and what they count. */
enum base_word {
	WORD_CHAR,
	WORD_SHORT,
	WORD_INT,
	WORD_LONG,
	WORD_FLOAT,
	WORD_DOUBLE,
	WORD_VOID,
	WORD_SIGNED,
	WORD_UNSIGNED,
	WORD_BOOL,
	WORD_COUNT_
};

static const char *const base_words[WORD_COUNT_] = {
	[WORD_CHAR] = "char",	      [WORD_SHORT] = "short",	[WORD_INT] = "int",   [WORD_LONG] = "long",
	[WORD_FLOAT] = "float",	      [WORD_DOUBLE] = "double", [WORD_VOID] = "void", [WORD_SIGNED] = "signed",
	[WORD_UNSIGNED] = "unsigned", [WORD_BOOL] = "_Bool",
};

static const char *const qualifiers[] = {"const", "volatile", "restrict", "auto", "register", "static"};
static const char *const classes[] = {"auto", "register", "static"};

static bool at_qualifier(struct d_parser *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(qualifiers); i++)
		if (d_at(p, qualifiers[i]))
			return true;
	return false;
}

static int at_base_word(struct d_parser *p)
{
	for (int i = 0; i < WORD_COUNT_; i++)
		if (d_peek(p)->kind == D_TOKEN_WORD && d_at(p, base_words[i]))
			return i;
	return -1;
}

static bool at_tag_word(struct d_parser *p)
{
	return d_at(p, "struct") || d_at(p, "union") || d_at(p, "enum");
}

static bool at_known_name(struct d_parser *p)
{
	const struct d_token *token = d_peek(p);

	return token->kind == D_TOKEN_WORD && g_hash_table_contains(p->types, token->text);
}

bool d_at_type(struct d_parser *p)
{
	if (d_peek(p)->kind != D_TOKEN_WORD)
		return false;
	return at_qualifier(p) || at_base_word(p) >= 0 || at_tag_word(p) || d_at(p, "string") || at_known_name(p) ||
	       d_at(p, "userland");
}

static struct d_written_type *written_new(struct d_parser *p, enum d_written_kind kind, const struct location *at)
{
	struct d_written_type *type = arena_new0(p->arena, struct d_written_type);

	type->kind = kind;
	type->location = *at;
	return type;
}

/* ---- struct, union, enum ----------------------------------------------------------------------------------------- */

/* member := specifiers [ declarator [ ":" width ] { "," … } ] ";" */
static bool members_of_line(struct d_parser *p, GPtrArray *members)
{
	struct d_written_type *base = d_specifiers(p);

	if (!base)
		return false;
	do {
		struct d_declarator *member = d_declarator(p, base);

		if (!member)
			return false;
		if (d_accept(p, ":")) {
			member->bits = d_constant(p);
			if (!member->bits)
				return false;
		}
		if (!member->name && !member->bits && !base->members) {
			d_error_at(p, &base->location, "D_DECL_MNAME", _("a member requires a name"));
			return false;
		}
		g_ptr_array_add(members, member);
	} while (d_accept(p, ","));
	return d_expect(p, ";", _("after the member"));
}

static bool tag_members(struct d_parser *p, struct d_written_type *type)
{
	type->members = arena_ptr_array(p->arena);
	while (!d_accept(p, "}")) {
		if (!d_at_type(p) && d_peek(p)->kind != D_TOKEN_WORD)
			return d_syntax_error(p, _("expected a member")) != NULL;
		if (!members_of_line(p, type->members))
			return false;
	}
	if (type->members->len)
		return true;
	d_error_at(p, &type->location, "D_SYNTAX", _("a struct or union requires at least one member"));
	return false;
}

/* enumerators := name [ "=" constant ] { "," … } [ "," ] "}" */
static bool tag_enumerators(struct d_parser *p, struct d_written_type *type)
{
	type->enumerators = arena_ptr_array(p->arena);
	do {
		struct d_enumerator *enumerator;

		if (d_at(p, "}") && type->enumerators->len)
			break;
		enumerator = arena_new0(p->arena, struct d_enumerator);
		enumerator->location = d_peek(p)->location;
		enumerator->name = d_identifier(p, _("an enumerator"));
		if (!enumerator->name)
			return false;
		if (d_accept(p, "=")) {
			enumerator->value = d_constant(p);
			if (!enumerator->value)
				return false;
		}
		g_ptr_array_add(type->enumerators, enumerator);
	} while (d_accept(p, ","));
	return d_expect(p, "}", _("after the enumerators"));
}

/* tag := ( "struct" | "union" | "enum" ) [ name ] [ "{" … "}" ] */
static struct d_written_type *tag_type(struct d_parser *p)
{
	struct d_token word = d_advance(p);
	enum d_written_kind kind = !strcmp(word.text, "struct")	 ? D_WRITTEN_STRUCT
				   : !strcmp(word.text, "union") ? D_WRITTEN_UNION
								 : D_WRITTEN_ENUM;
	struct d_written_type *type = written_new(p, kind, &word.location);

	if (d_peek(p)->kind == D_TOKEN_WORD && !d_is_keyword(d_peek(p))) {
		type->location = d_peek(p)->location;
		type->name = d_advance(p).text;
	} else if (d_peek(p)->kind == D_TOKEN_KERNEL) {
		type->name = d_advance(p).text; /* struct module`name */
	}
	if (d_accept(p, "{")) {
		if (!(kind == D_WRITTEN_ENUM ? tag_enumerators(p, type) : tag_members(p, type)))
			return NULL;
		g_ptr_array_add(p->program->types, type);
	} else if (!type->name) {
		return d_syntax_error(p, _("expected a name or '{' after %s"), word.text);
	}
	return type;
}

/* ---- specifiers -------------------------------------------------------------------------------------------------- */

static bool has_sign_word(const unsigned int *count)
{
	return count[WORD_SIGNED] || count[WORD_UNSIGNED];
}

static bool has_size_word(const unsigned int *count)
{
	return count[WORD_LONG] || count[WORD_SHORT];
}

/* Return the tag of the error if the counted words are not a type. */
static const char *combination_tag(const unsigned int *count)
{
	bool has_sign = has_sign_word(count), has_size = has_size_word(count);

	if (count[WORD_CHAR] && has_size)
		return "D_DECL_CHARATTR";
	if (count[WORD_VOID] && (has_sign || has_size))
		return "D_DECL_VOIDATTR";
	if (has_sign && (count[WORD_FLOAT] || count[WORD_DOUBLE]))
		return "D_DECL_SIGNINT";
	if (count[WORD_LONG] > 2 || (has_size && count[WORD_FLOAT]))
		return "D_DECL_LONGINT";
	return "D_DECL_COMBO";
}

/* Return the canonical spelling of the counted words; NULL if they are not a type. */
static const char *base_spelling(const unsigned int *count)
{
	unsigned int others = count[WORD_FLOAT] + count[WORD_DOUBLE] + count[WORD_VOID] + count[WORD_BOOL];
	unsigned int sizes = count[WORD_CHAR] + count[WORD_SHORT] + !!count[WORD_LONG];
	bool is_unsigned = count[WORD_UNSIGNED];

	if (others + sizes > 1 || count[WORD_SIGNED] + count[WORD_UNSIGNED] > 1 || count[WORD_INT] > 1 ||
	    count[WORD_LONG] > 2 || (count[WORD_CHAR] && count[WORD_INT])) {
		if (!(count[WORD_DOUBLE] == 1 && count[WORD_LONG] == 1 && others == 1))
			return NULL;
	}
	if (others && (count[WORD_SIGNED] || is_unsigned || count[WORD_INT]))
		return NULL;
	if (count[WORD_FLOAT])
		return "float";
	if (count[WORD_DOUBLE])
		return count[WORD_LONG] ? "long double" : "double";
	if (count[WORD_VOID])
		return "void";
	if (count[WORD_BOOL])
		return "_Bool";
	if (count[WORD_CHAR])
		return is_unsigned ? "unsigned char" : count[WORD_SIGNED] ? "signed char" : "char";
	if (count[WORD_SHORT])
		return is_unsigned ? "unsigned short" : "short";
	if (count[WORD_LONG] == 2)
		return is_unsigned ? "unsigned long long" : "long long";
	if (count[WORD_LONG])
		return is_unsigned ? "unsigned long" : "long";
	return is_unsigned ? "unsigned int" : "int";
}

static void *not_a_type(struct d_parser *p, const struct location *at, const char *tag)
{
	return d_error_at(p, at, tag, _("these words are not a type"));
}

static struct d_written_type *base_type(struct d_parser *p)
{
	struct d_written_type *type = written_new(p, D_WRITTEN_BASE, &d_peek(p)->location);
	unsigned int count[WORD_COUNT_] = {0};
	int word;

	for (;;) {
		word = at_base_word(p);
		if (word < 0 && !at_qualifier(p))
			break;
		if (word >= 0)
			count[word]++;
		d_advance(p);
	}
	type->name = base_spelling(count);
	if (!type->name)
		return not_a_type(p, &type->location, combination_tag(count));
	if (at_tag_word(p))
		return not_a_type(p, &type->location,
				  has_sign_word(count)	 ? "D_DECL_SIGNINT"
				  : has_size_word(count) ? "D_DECL_LONGINT"
							 : "D_DECL_COMBO");
	return type;
}

static void skip_qualifiers(struct d_parser *p)
{
	while (at_qualifier(p) || d_at(p, "userland"))
		d_advance(p);
}

bool d_check_class(struct d_parser *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++)
		if (d_peek(p)->kind == D_TOKEN_WORD && d_at(p, classes[i]))
			return d_error_at(p, &d_peek(p)->location, "D_DECL_CLASS",
					  _("storage class '%s' is not allowed in D"), classes[i]) != NULL;
	return true;
}

struct d_written_type *d_specifiers(struct d_parser *p)
{
	struct d_written_type *type;
	struct d_token word;

	if (!d_check_class(p))
		return NULL;
	skip_qualifiers(p);
	if (at_tag_word(p)) {
		type = tag_type(p);
	} else if (at_base_word(p) >= 0) {
		type = base_type(p);
	} else {
		if (d_peek(p)->kind != D_TOKEN_WORD && d_peek(p)->kind != D_TOKEN_KERNEL)
			return d_syntax_error(p, _("expected a type"));
		word = d_advance(p);
		type = written_new(p, D_WRITTEN_NAME, &word.location);
		type->name = word.text;
	}
	skip_qualifiers(p);
	/* Report a missing semicolon, as in "struct s { ... } int x;". */
	if (type && (at_base_word(p) >= 0 || at_tag_word(p)))
		return not_a_type(p, &d_peek(p)->location, "D_DECL_COMBO");
	return type;
}

/* ---- declarators ------------------------------------------------------------------------------------------------- */

static struct d_written_type *derived_type(struct d_parser *p, enum d_written_kind kind, struct d_written_type *target)
{
	struct d_written_type *type = written_new(p, kind, &d_peek(p)->location);

	type->target = target;
	return type;
}

static const char *const parameter_classes[] = {"self", "this", "static", "auto", "register", "extern"};

static bool at_parameter_class(struct d_parser *p)
{
	for (size_t i = 0; i < G_N_ELEMENTS(parameter_classes); i++)
		if (d_peek(p)->kind == D_TOKEN_WORD && d_at(p, parameter_classes[i]))
			return true;
	return false;
}

/* parameter := specifiers declarator */
static struct d_declarator *parameter_declaration(struct d_parser *p)
{
	struct d_written_type *base;

	if (at_parameter_class(p))
		return d_error_at(p, &d_peek(p)->location, "D_DECL_PARMCLASS",
				  _("this storage class is not allowed for a parameter"));
	base = d_specifiers(p);
	return base ? d_declarator(p, base) : NULL;
}

/* The parameters of an inline have names. */
static bool inline_parameter(struct d_parser *p, struct d_written_type *type)
{
	struct d_declarator *parameter = parameter_declaration(p);

	if (!parameter)
		return false;
	if (!parameter->name)
		return d_syntax_error(p, _("expected the name of the parameter")) != NULL;
	g_ptr_array_add(type->keys, parameter->type);
	g_ptr_array_add(type->key_names, (void *)parameter->name);
	return true;
}

static bool key_type(struct d_parser *p, struct d_written_type *type)
{
	struct d_declarator *key = parameter_declaration(p);

	if (!key)
		return false;
	g_ptr_array_add(type->keys, key->type);
	return !key->name ||
	       d_error_at(p, &key->location, "D_DECL_PROTO_NAME", _("a key has a type, but no name")) != NULL;
}

/* keys := key { "," key } "]" */
static bool associative_keys(struct d_parser *p, struct d_written_type *type)
{
	bool has_names = p->names_keys;

	type->keys = arena_ptr_array(p->arena);
	if (has_names)
		type->key_names = arena_ptr_array(p->arena);
	do {
		if (d_at(p, "...")) {
			d_error_at(p, &d_peek(p)->location, "D_DECL_PROTO_VARARGS",
				   _("the number of keys must be fixed"));
			return false;
		}
		if (has_names ? !inline_parameter(p, type) : !key_type(p, type))
			return false;
	} while (d_accept(p, ","));
	return d_expect(p, "]", _("after the keys"));
}

/* suffix := "[" [ constant | keys ] "]" ; the element type of an outer dimension is the array of the inner ones */
static struct d_written_type *array_suffix(struct d_parser *p, struct d_written_type *base)
{
	struct d_written_type *type = derived_type(p, D_WRITTEN_ARRAY, NULL);

	if (!d_step(p))
		return NULL;
	d_advance(p);
	if (d_at_type(p) || at_parameter_class(p)) {
		type->kind = D_WRITTEN_ASSOCIATIVE;
		if (!associative_keys(p, type))
			return NULL;
	} else if (!d_accept(p, "]")) {
		type->count = d_constant(p);
		if (!type->count || !d_expect(p, "]", _("after the size of the array")))
			return NULL;
	}
	type->target = d_at(p, "[") ? array_suffix(p, base) : base;
	return type->target ? type : NULL;
}

static bool is_plain_void(const struct d_written_type *type)
{
	return type->kind == D_WRITTEN_BASE && !strcmp(type->name, "void");
}

/* Check a parameter of type void. Only "(void)" has one. */
static bool check_void(struct d_parser *p, const struct d_declarator *parameter, bool is_only)
{
	if (!is_plain_void(parameter->type))
		return true;
	if (parameter->name)
		return d_error_at(p, &parameter->location, "D_DECL_PROTO_NAME",
				  _("a parameter of type void has no name")) != NULL;
	return is_only || d_error_at(p, &parameter->location, "D_DECL_PROTO_VOID",
				     _("void is allowed only as the only parameter")) != NULL;
}

/* parameters := "(" [ parameter { "," parameter } [ "," "..." ] | "..." ] ")" ; they are checked, and not kept */
static bool function_parameters(struct d_parser *p)
{
	bool is_only = true;

	d_advance(p);
	if (d_accept(p, ")"))
		return true;
	do {
		struct d_declarator *parameter;

		if (d_accept(p, "..."))
			break;
		parameter = parameter_declaration(p);
		if (!parameter || !check_void(p, parameter, is_only && d_at(p, ")")))
			return false;
		is_only = false;
	} while (d_accept(p, ","));
	return d_expect(p, ")", _("after the parameters"));
}

static struct d_written_type *suffixes(struct d_parser *p, struct d_written_type *base)
{
	if (d_at(p, "["))
		return array_suffix(p, base);
	if (d_at(p, "(")) {
		struct d_written_type *type = derived_type(p, D_WRITTEN_FUNCTION, base);

		if (!function_parameters(p))
			return NULL;
		if (d_at(p, "("))
			return d_error_at(p, &d_peek(p)->location, "D_DECL_FUNCRET",
					  _("a function cannot return a function"));
		if (d_at(p, "["))
			return d_error_at(p, &d_peek(p)->location, "D_DECL_ARRFUNC",
					  _("an array of functions is not allowed"));
		return type;
	}
	return base;
}

static struct d_declarator *inner_declarator(struct d_parser *p, struct d_written_type *base)
{
	struct d_declarator *declarator;

	while (d_at(p, "*")) {
		if (!d_step(p))
			return NULL;
		base = derived_type(p, D_WRITTEN_POINTER, base);
		d_advance(p);
		skip_qualifiers(p);
	}
	if (d_at(p, "(")) {
		/* The type of what is in parentheses depends on the suffixes after them. */
		struct d_written_type *hole = written_new(p, D_WRITTEN_BASE, &d_peek(p)->location), *outer;

		d_advance(p);
		declarator = d_declarator(p, hole);
		if (!declarator || !d_expect(p, ")", _("after the declarator")))
			return NULL;
		outer = suffixes(p, base);
		if (!outer)
			return NULL;
		if (declarator->type == hole)
			declarator->type = outer;
		else
			*hole = *outer;
		return declarator;
	}
	declarator = arena_new0(p->arena, struct d_declarator);
	declarator->location = d_peek(p)->location;
	if (d_peek(p)->kind == D_TOKEN_WORD && !d_is_keyword(d_peek(p)))
		declarator->name = d_advance(p).text;
	declarator->type = suffixes(p, base);
	return declarator->type ? declarator : NULL;
}

struct d_declarator *d_declarator(struct d_parser *p, struct d_written_type *base)
{
	struct d_declarator *declarator = d_enter(p) ? inner_declarator(p, base) : NULL;

	d_leave(p);
	return declarator;
}

struct d_written_type *d_type_name(struct d_parser *p)
{
	struct d_written_type *base = d_specifiers(p);
	struct d_declarator *declarator = base ? d_declarator(p, base) : NULL;

	if (declarator && declarator->name)
		return d_error_at(p, &declarator->location, "D_SYNTAX", _("a type is expected here, without a name"));
	return declarator ? declarator->type : NULL;
}
