/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of a session: options of stap for the script's runs, and where it runs. */
#ifndef SPILE_INTERACTIVE_SETTINGS_H
#define SPILE_INTERACTIVE_SETTINGS_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/error.h"
#include "translator/interactive/input.h"
#include "translator/options.h"

struct session;
struct settings;

struct settings *settings_new(void);
void settings_free(struct settings *settings);

/** Take the options of a command line. Return an error if one cannot be used in the interactive mode. */
struct error *settings_take(struct settings *settings, const struct options *options);

/** Obey `set` and `show`. */
struct error *settings_set(struct settings *settings, struct input *input, const char *rest);
struct error *settings_show(const struct settings *settings, const char *rest);

/** Return the names of the settings (const char *). The caller frees the array. */
GPtrArray *settings_names(void);
/** Return values to offer for a setting (char *), which the caller frees. */
GPtrArray *settings_values(const struct settings *settings, const char *name);

/** Append the words for a session; those that only a run of the script needs, too; or the one that names the target. */
void settings_add_session_words(const struct settings *settings, GPtrArray *words);
void settings_add_run_words(const struct settings *settings, GPtrArray *words);
void settings_add_target(const struct settings *settings, GPtrArray *words);

/** Let the session use the options that are set. */
void settings_apply(const struct settings *settings, struct session *session);

/** Do scripts run in a guest? */
bool settings_are_for_guest(const struct settings *settings);
/** Return how results are shown: "auto", "off", "-" or the name of a file. */
const char *settings_report(const struct settings *settings);

#endif
