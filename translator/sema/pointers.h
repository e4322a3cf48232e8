/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C types of script variables: after p = $file, p->f_pos is known to be a member of struct file.
 *
 * A variable has the pointer type of the values assigned to it, in the order of the text. Numbers without a C type are
 * ignored. Values of two different types are an error where the variable is dereferenced, because control flow is not
 * analyzed. A parameter has the type of its arguments in all calls. Globals are shared by all handlers, in the order of
 * the text.
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
	GHashTable *helpers; /* the same for helpers of the library (scope.h) */
};

void pointer_scope_init(struct pointer_scope *scope, struct translation *t, const struct script *script,
			struct function_declaration *function);
void pointer_scope_clear(struct pointer_scope *scope);
/** Note the type of a value that is assigned to a variable or array element; @p type may be NULL. */
void pointer_assign(struct pointer_scope *scope, const struct expr *target, struct type *type,
		    const struct location *at);
/** Note the type of an argument of a call. */
void pointer_argument(struct pointer_scope *scope, struct symbol *parameter, struct type *type,
		      const struct location *at);
/** Note the type of a function's result. */
void pointer_return(struct pointer_scope *scope, struct type *type);
/** Return the pointer type of a variable or array element, or NULL. */
struct type *pointer_type(struct pointer_scope *scope, const struct expr *variable);
/** Note that @p base is dereferenced at @p at. Return false after a diagnostic if it has two types. */
bool pointer_use(struct pointer_scope *scope, const struct expr *base, const struct location *at);
/** Return the common type of two values of which one is used, or NULL. */
struct type *pointer_common(const struct expr *left, const struct expr *right);

#endif
