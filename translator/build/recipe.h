/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kbuild's commands for a module, recorded and replayed; see recipe.c. */
#ifndef SPILE_BUILD_RECIPE_H
#define SPILE_BUILD_RECIPE_H

#include "translator/translation.h"

/** Is there a recipe? Whether it works is another question. */
bool recipe_exists(const char *cache);

/**
 * Build the module in @p folder with the recorded commands.
 *
 * @param[in] cache The folder of kbuild_cache().
 * @param[out] done False if there is no recipe, or it did not work: kbuild is to do it.
 * @return ERROR_INTERRUPTED only.
 */
struct error *recipe_replay(const struct translation *t, const char *cache, const char *folder, bool *done);

/** Record the commands that kbuild has just run in @p folder. What cannot be recorded is left to kbuild for ever. */
void recipe_record(const struct translation *t, const char *cache, const char *folder);

#endif
