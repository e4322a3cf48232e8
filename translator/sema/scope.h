/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which declarations a name can mean depends on where the name is written.
 *
 * There are three origins of text: the user's scripts, the tapsets of -I, and the library. A name refers to a
 * declaration of its own origin or of a later one. So a global or function of a script never captures a name that the
 * library or a tapset of -I uses.
 *
 * Locals of a handler are shared by the aliases around it, which is how an alias passes values. Names of the library
 * that begin with "__" are an exception: they are helpers, separate from locals of the same name in other text.
 */
#ifndef SPILE_SEMA_SCOPE_H
#define SPILE_SEMA_SCOPE_H

#include "translator/translation.h"

/** Return the script whose private names are visible at a place, or @p otherwise if the place is in no script. */
const struct script *script_at(const struct translation *t, const struct location *at, const struct script *otherwise);

/** Is the name a helper of the library, which other text cannot see? */
bool is_library_helper(const struct expr *name);
/** The same for a name that is declared at @p at. */
bool is_library_helper_at(const struct location *at, const char *name);

/** Do two names of one handler or function mean the same local, if they mean a local? */
bool same_local(const struct expr *a, const struct expr *b);

/** Return the global that a name refers to, or NULL; @p script is the result of script_at(). */
struct symbol *visible_global(struct translation *t, const struct script *script, const struct expr *name);
/** The same for a name in embedded C. */
struct symbol *visible_global_at(struct translation *t, const struct script *script, const struct location *at,
				 const char *name);

/**
 * Is a function visible where the call is written, in @p script? The translator itself may call private functions of
 * the library, which are safe only with arguments that it has checked.
 */
bool sees_function(const struct expr *call, const struct script *script, const struct function_declaration *function);

/** Add the functions that a call can refer to, with any number of parameters, in the order of their files. */
void collect_functions(struct translation *t, const struct script *script, const struct expr *call, GPtrArray *ret);

/** Return the only function that a call can refer to, or NULL if there are several or none. */
struct function_declaration *only_function(struct translation *t, const struct script *script, const struct expr *call);

/** May a point that is written at @p at name the aliases of this script? */
bool sees_aliases(const struct location *at, const struct script *script);

#endif
