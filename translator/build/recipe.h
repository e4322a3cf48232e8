/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbuild's commands for a module, recorded and replayed; see recipe.c. */
#ifndef SPILE_BUILD_RECIPE_H
#define SPILE_BUILD_RECIPE_H

#include "translator/translation.h"

/** Does a recipe exist? It may still fail. */
bool recipe_exists(const char *cache);

/**
 * Build the module in @p directory with the recorded commands.
 *
 * @param[in] cache The directory of kbuild_cache().
 * @param[out] done False if there is no recipe or it failed, so that kbuild must build the module.
 * @return ERROR_INTERRUPTED only.
 */
struct error *recipe_replay(const struct translation *t, const char *cache, const char *directory, bool *done);

/**
 * Compile the runtime's two halves in @p directory with the recorded commands; the source and the facts must be there.
 *
 * @param[in] cache The directory of kbuild_cache().
 * @param[out] done False if there is no recipe or it failed, so that kbuild must compile them.
 * @return ERROR_INTERRUPTED only.
 */
struct error *recipe_compile_runtime(const struct translation *t, const char *cache, const char *directory, bool *done);

/** Record the commands that kbuild has just run in @p directory. If recording fails, every build uses kbuild. */
void recipe_record(const struct translation *t, const char *cache, const char *directory);

#endif
