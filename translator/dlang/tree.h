/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax tree of a D program. The parser (parser.c and parse_*.c) builds it without knowledge of types or probes;
 * lower.c turns each clause into handlers of the tree that all later passes share (lang/ast.h). Everything is
 * arena-allocated.
 */
#ifndef SPILE_DLANG_TREE_H
#define SPILE_DLANG_TREE_H

#include "translator/lang/ast.h"

/* ---- types as written -------------------------------------------------------------------------------------------- */

enum d_written_kind {
	D_WRITTEN_NAME, /* typedef name, or "string" */
	D_WRITTEN_BASE, /* "int", "unsigned long": name has the canonical spelling */
	D_WRITTEN_STRUCT,
	D_WRITTEN_UNION,
	D_WRITTEN_ENUM,
	D_WRITTEN_POINTER,
	D_WRITTEN_ARRAY, /* `count` elements; NULL: not given */
	D_WRITTEN_ASSOCIATIVE, /* `keys` are the types of the keys */
	D_WRITTEN_FUNCTION,
	D_WRITTEN_COUNT_
};

struct d_node;

struct d_enumerator {
	const char *name;
	struct location location;
	struct d_node *value; /* or NULL */
};

struct d_written_type {
	enum d_written_kind kind;
	struct location location;
	const char *name; /* NULL: an anonymous struct, union or enum */
	struct d_written_type *target;
	struct d_node *count;
	GPtrArray *keys; /* of struct d_written_type * */
	GPtrArray *key_names; /* of const char *: the parameters of an inline; NULL: they have no names */
	GPtrArray *members; /* of struct d_declarator *; NULL: only a reference to the tag */
	GPtrArray *enumerators; /* of struct d_enumerator *; NULL: only a reference to the tag */
};

/* A declared name: a variable, a typedef, a member. */
struct d_declarator {
	const char *name; /* NULL: an anonymous member, or only a type */
	struct location location;
	struct d_written_type *type;
	struct d_node *bits; /* width of a bit-field, or NULL */
	guint types_before; /* of a typedef: how many of the program's types precede it */
};

/* ---- expressions ------------------------------------------------------------------------------------------------- */

enum d_node_kind {
	D_NUMBER, /* number, with is_unsigned and is_long from its suffix and value */
	D_STRING, /* text, text_length */
	D_NAME, /* a global or built-in variable */
	D_SELF, /* self->text */
	D_THIS, /* this->text */
	D_KERNEL, /* `text or module`text (module in `module`) */
	D_AGGREGATION, /* @text; the keys are in `arguments`, or NULL */
	D_INDEX, /* left[arguments] */
	D_MEMBER, /* left.text, or left->text if is_arrow */
	D_CALL, /* text(arguments) */
	D_NEGATE,
	D_PLUS,
	D_NOT,
	D_COMPLEMENT,
	D_DEREFERENCE,
	D_ADDRESS,
	D_STRINGOF, /* stringof(left), stringof left */
	D_SIZEOF, /* of `type`, or of left */
	D_OFFSETOF, /* of member `text` in `type` */
	D_CAST, /* (type)left */
	D_TRANSLATE, /* xlate <type>(left) */
	D_BINARY, /* op: arithmetic, bits, shifts, comparisons, && and || */
	D_LOGICAL_XOR, /* ^^ */
	D_CONDITIONAL, /* condition ? left : right */
	D_ASSIGN, /* left = right; with op: left op= right */
	D_INCREMENT, /* op is OP_ADD or OP_SUBTRACT; is_postfix */
	D_COMMA,
	D_LOWERED, /* value: an operand that the lowering uses again */
	D_NODE_KIND_COUNT_
};

struct d_node {
	enum d_node_kind kind;
	struct location location;
	const char *text;
	size_t text_length;
	const char *module;
	int64_t number;
	bool is_unsigned, is_long, is_character;
	bool is_arrow, is_postfix;
	enum expr_operator op;
	struct d_node *left, *right, *condition;
	GPtrArray *arguments; /* of struct d_node * */
	struct d_written_type *type;
	const struct d_value *value;
};

/* ---- statements and clauses -------------------------------------------------------------------------------------- */

enum d_statement_kind { D_EXPRESSION, D_IF, D_BLOCK };

struct d_statement {
	enum d_statement_kind kind;
	struct location location;
	struct d_node *expression; /* of an expression statement, or the condition */
	struct d_statement *then, *otherwise; /* D_IF; otherwise may be NULL */
	GPtrArray *statements; /* D_BLOCK: of struct d_statement * */
};

/* provider:module:function:name; parts that were not written are "". Each may contain wildcards. */
enum d_part { D_PROVIDER, D_MODULE, D_FUNCTION, D_PROBE_NAME, D_PART_COUNT_ };

struct d_description {
	struct location location;
	const char *text; /* as written */
	const char *parts[D_PART_COUNT_];
	int64_t id; /* of "-i"; 0: a description by names */
};

struct d_clause {
	struct location location;
	GPtrArray *descriptions; /* of struct d_description * */
	struct d_node *predicate; /* or NULL */
	struct d_statement *body; /* a D_BLOCK; NULL: none was written, which is the default action */
};

enum d_scope { D_GLOBAL_SCOPE, D_THREAD_SCOPE, D_CLAUSE_SCOPE, D_SCOPE_COUNT_ };

/* A declaration of a variable: `int x;`, `self string s[int];`. */
struct d_variable_declaration {
	enum d_scope scope;
	struct d_declarator *declarator;
	bool is_external; /* extern */
};

/* inline type name = value; or inline type name[type parameter, …] = value; */
struct d_inline {
	struct d_declarator *declarator;
	struct d_node *value;
};

/* translator output < input name > { member = value; … }; */
struct d_translator {
	struct location location;
	struct d_written_type *output, *input;
	const char *input_name;
	GPtrArray *names; /* of const char *: the members … */
	GPtrArray *values; /* … and their values (struct d_node *) */
};

/* provider name { probe name(parameters); … }; */
struct d_provider_declaration {
	struct location location;
	const char *name;
	GPtrArray *probes; /* of struct d_probe_declaration * */
};

enum { D_MOST_PROBE_ARGUMENTS = 12 };

struct d_probe_declaration {
	struct location location;
	const char *name;
	int parameters; /* their number */
};

/* #pragma D option name=value */
struct d_option {
	struct location location;
	const char *name, *value; /* value: NULL if none was given */
};

struct d_program {
	GPtrArray *clauses; /* of struct d_clause * */
	GPtrArray *types; /* of struct d_written_type *: struct, union and enum definitions, in order */
	GPtrArray *typedefs; /* of struct d_declarator * */
	GPtrArray *variables; /* of struct d_variable_declaration * */
	GPtrArray *inlines; /* of struct d_inline * */
	GPtrArray *translators; /* of struct d_translator * */
	GPtrArray *providers; /* of struct d_provider_declaration * */
	GPtrArray *options; /* of struct d_option * */
	GPtrArray *addressed; /* of struct d_node *: operands of "&" that are variables */
	GPtrArray *cleared; /* of const char *: names of aggregations that are arguments of clear() */
};

#endif
