/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building small expression trees: what $variables and desugared constructs are made of. All typed on creation. */
#ifndef SPILE_SEMA_BUILDER_H
#define SPILE_SEMA_BUILDER_H

#include "translator/debuginfo/debuginfo.h"
#include "translator/lang/ast.h"

struct expr *build_number(struct arena *arena, const struct location *at, int64_t number);
struct expr *build_string(struct arena *arena, const struct location *at, const char *text);
/** What an operator makes of two numbers; false: an error (division by 0), or no operation on numbers. */
bool fold_numbers(enum expr_operator op, int64_t a, int64_t b, int64_t *ret);
/** Arithmetic; two numbers fold to one. */
struct expr *build_binary(struct arena *arena, enum expr_operator op, struct expr *left, struct expr *right);
/** OP_LOGICAL_AND or OP_LOGICAL_OR: the right side is looked at only if the left does not decide. */
struct expr *build_logical(struct arena *arena, enum expr_operator op, struct expr *left, struct expr *right);
/** condition ? left : right, of the type of @p left. */
struct expr *build_conditional(struct arena *arena, struct expr *condition, struct expr *left, struct expr *right);
struct expr *build_load(struct arena *arena, struct expr *address, int size, bool is_signed);
/** Truncate to @p size bytes and sign- or zero-extend. */
struct expr *build_convert(struct arena *arena, struct expr *value, int size, bool is_signed);
/** Call a function of the library, whatever the script defines under its name. */
struct expr *build_call(struct arena *arena, const struct location *at, const char *function, struct expr *argument);
/** sprintf(parts…): @p format of struct format_part *, @p arguments of struct expr *. */
struct expr *build_sprintf(struct arena *arena, const struct location *at, GPtrArray *format, GPtrArray *arguments);
struct statement *build_expr_statement(struct arena *arena, struct expr *expr);
struct statement *build_block(struct arena *arena, const struct location *at);
/** An address that debuginfo knows. */
struct expr *build_address(struct arena *arena, const struct location *at, struct debuginfo *object,
			   const struct address *address);
/** A bit-field of @p size bits at @p offset of a loaded storage unit. */
struct expr *build_bit_field(struct arena *arena, struct expr *unit, int offset, int size, bool is_signed);

#endif
