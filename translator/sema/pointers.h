/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C types of script variables: after p = $file, p->f_pos is known to be a member of struct file.
 *
 * A variable has the one pointer type of all that is assigned to it, in the order of the text; numbers without a C type
 * say nothing. Two types are a contradiction, which is an error where something is read through the variable: which of
 * them it holds there is not followed. A parameter has the type of the arguments of all calls. Globals are known across
 * handlers, in the order in which these stand.
 */
#ifndef SPILE_SEMA_POINTERS_H
#define SPILE_SEMA_POINTERS_H

#include "translator/translation.h"

/* One handler or function. */
struct pointer_scope {
	struct translation *t;
	const struct script *script;
	struct function_declaration *function; /* or NULL */
	GHashTable *locals; /* name -> struct pointer_note * */
	GHashTable *helpers; /* the same of helpers of the library */
};

void pointer_scope_init(struct pointer_scope *scope, struct translation *t, const struct script *script,
			struct function_declaration *function);
void pointer_scope_clear(struct pointer_scope *scope);
/** Note what is assigned to a variable or to elements of an array; @p type may be NULL. */
void pointer_assign(struct pointer_scope *scope, const struct expr *target, struct type *type,
		    const struct location *at);
/** The same of what a call passes to a parameter. */
void pointer_argument(struct pointer_scope *scope, struct symbol *parameter, struct type *type,
		      const struct location *at);
/** The same of a function's result. */
void pointer_return(struct pointer_scope *scope, struct type *type);
/** What a variable points to, or NULL. */
struct type *pointer_type(struct pointer_scope *scope, const struct expr *variable);
/** Something is read through @p base at @p at. False after a diagnostic if its types contradict each other. */
bool pointer_use(struct pointer_scope *scope, const struct expr *base, const struct location *at);
/** The type of either of two values. */
struct type *pointer_common(const struct expr *left, const struct expr *right);

#endif
