/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Construct expression trees, for lowered $variables and desugared statements. Their types are set on creation. */
#ifndef SPILE_SEMA_BUILDER_H
#define SPILE_SEMA_BUILDER_H

#include "translator/debuginfo/debuginfo.h"
#include "translator/lang/ast.h"

struct expr *build_number(struct arena *arena, const struct location *at, int64_t number);
struct expr *build_string(struct arena *arena, const struct location *at, const char *text);
/** Compute a binary operation. Return false for a division by 0, or if @p op is not arithmetic. */
bool fold_numbers(enum expr_operator op, int64_t a, int64_t b, int64_t *ret);
/** Build an arithmetic operation; two numbers become one. */
struct expr *build_binary(struct arena *arena, enum expr_operator op, struct expr *left, struct expr *right);
/** Build OP_LOGICAL_AND or OP_LOGICAL_OR. */
struct expr *build_logical(struct arena *arena, enum expr_operator op, struct expr *left, struct expr *right);
/** Build condition ? left : right, with the type of @p left. */
struct expr *build_conditional(struct arena *arena, struct expr *condition, struct expr *left, struct expr *right);
struct expr *build_load(struct arena *arena, struct expr *address, int size, bool is_signed);
/** Truncate to @p size bytes and sign- or zero-extend. */
struct expr *build_convert(struct arena *arena, struct expr *value, int size, bool is_signed);
/** Build a call of a library function, even if the script defines one of the same name. */
struct expr *build_call(struct arena *arena, const struct location *at, const char *function, struct expr *argument);
/** Append a literal text, or a directive without flags, to an array of struct format_part *. */
void format_add_literal(struct arena *arena, GPtrArray *format, const char *text);
void format_add_directive(struct arena *arena, GPtrArray *format, enum format_kind kind);
/** Build sprintf(): @p format has struct format_part *, @p arguments has struct expr *. */
struct expr *build_sprintf(struct arena *arena, const struct location *at, GPtrArray *format, GPtrArray *arguments);
struct statement *build_expr_statement(struct arena *arena, struct expr *expr);
struct statement *build_block(struct arena *arena, const struct location *at);
/** Build the run-time value of a link-time address in @p object. */
struct expr *build_address(struct arena *arena, const struct location *at, struct debuginfo *object,
			   const struct address *address);
/** Extract a bit-field of @p size bits at bit @p offset of a loaded storage unit. */
struct expr *build_bit_field(struct arena *arena, struct expr *unit, int offset, int size, bool is_signed);

#endif
