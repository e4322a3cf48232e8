/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All scripts of the configured directory; see registry.c. */
#ifndef SPILE_EXPORTER_REGISTRY_H
#define SPILE_EXPORTER_REGISTRY_H

#include "exporter/script.h"

struct registry;

/** @p observer is called as those of scripts; the script may be freed after the call. */
struct registry *registry_new(script_observer *observer, void *context);
void registry_free(struct registry *registry);

/**
 * Read the directory of scripts, and start those that start at boot. Called again, end scripts that are gone and
 * restart those that have changed.
 *
 * @return An error if the directory cannot be used. The scripts are then unchanged. Refused scripts are only logged.
 */
struct error *registry_load(struct registry *registry, struct exporter_settings *settings);

/** Only read the directory, and log what is refused. @p refused gets the number of refused scripts. */
struct error *registry_check(struct exporter_settings *settings, unsigned int *refused);

/** Return a script by its name, with or without the ending of its file, or NULL. */
struct script *registry_find(const struct registry *registry, const char *name);

/** Return why a script of this name is refused, or NULL. */
const char *registry_refusal(const struct registry *registry, const char *name);

/** Return the number of refused scripts. */
unsigned int registry_refused_count(const struct registry *registry);

/** Return all scripts, sorted by name. Free with g_list_free(). */
GList *registry_scripts(const struct registry *registry);

/** End all scripts. The observer is called as each of them has ended. */
void registry_stop(struct registry *registry);
/** Have all scripts ended? */
bool registry_is_stopped(const struct registry *registry);

#endif
