/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of stap-exporter, from its configuration file and command line; see configuration.c. */
#ifndef SPILE_EXPORTER_CONFIGURATION_H
#define SPILE_EXPORTER_CONFIGURATION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/error.h"
#include "exporter/limits.h"

enum script_start { START_AT_SCRAPE, START_AT_BOOT, START_COUNT_ };
enum script_source {
	SOURCE_AUTO, /* the file of a prometheus probe if there is one, else globals */
	SOURCE_PROMETHEUS,
	SOURCE_GLOBALS,
	SOURCE_COUNT_
};

/* Settings of one script; those of the group [exporter] hold for scripts without their own. */
struct script_settings {
	int64_t start; /* enum script_start */
	int64_t source; /* enum script_source */
	int64_t keepalive; /* seconds after the last scrape; 0: for ever */
	int64_t interval; /* seconds between snapshots of globals */
	char *options, *arguments; /* words for stap, quoted as in a shell; or NULL */
	struct exporter_limits limits;
};

struct exporter_settings {
	unsigned int references;
	char *listen; /* ADDRESS or [ADDRESS] */
	int64_t port;
	char *certificate, *key; /* TLS: files, or NULL */
	char *users, *tokens; /* authentication: files, or NULL */
	int64_t connections; /* limit */
	int64_t timeout; /* seconds that a request may take */
	int64_t wait; /* seconds that a scrape waits for the first data of a script */
	int64_t stop; /* seconds that a script has to end */
	char *scripts; /* directory */
	char *stap; /* program */
	char *proc; /* where proc(5) is mounted */
	struct script_settings common;
	GHashTable *own; /* name of a script's file -> struct script_settings */
};

#define SCRIPT_ENDING ".stp"
#define BUNDLE_ENDING ".bundle"

/** Is this the name of a file with a bundle (stap-bundle(1))? */
bool script_is_bundle(const char *file);

/** Return the name of a script or bundle: that of its file, without the ending. Free with g_free(). */
char *script_name_of(const char *file);

/** Settings of the command line, which override the configuration file. */
struct exporter_overrides {
	const char *scripts; /* NULL: not given */
	int64_t port, keepalive; /* -1: not given */
};

/**
 * Read the configuration.
 *
 * @param[in] path The file; NULL: the standard one, which may be missing.
 * @param[out] ret Settings with one reference, which the caller drops with settings_unref().
 */
struct error *settings_read(const char *path, const struct exporter_overrides *overrides,
			    struct exporter_settings **ret);
struct exporter_settings *settings_ref(struct exporter_settings *settings);
/** Drop a reference; @p settings may be NULL. */
void settings_unref(struct exporter_settings *settings);

/** Return the settings of a script by the name of its file. */
const struct script_settings *settings_of_script(const struct exporter_settings *settings, const char *file);

/** Are the settings of two scripts the same? */
bool script_settings_equal(const struct script_settings *a, const struct script_settings *b);

/** Copy settings into @p to, which is cleared by script_settings_clear(). */
void script_settings_copy(struct script_settings *to, const struct script_settings *from);
void script_settings_clear(struct script_settings *settings);

/** Return the path of the standard configuration file, and of the standard directory of scripts. Free with g_free(). */
char *settings_standard_file(void);
char *settings_standard_scripts(void);

#endif
