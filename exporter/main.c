// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-exporter: serve metrics of scripts over HTTP. This is its command line and its main loop. registry.c has the
 * scripts, script.c runs one of them, and http.c answers clients. All run in this one thread; nothing in them waits.
 */
#include <glib-unix.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/base/root_paths.h"
#include "common/base/standard_streams.h"
#include "exporter/http.h"
#include "exporter/registry.h"
#include "server/log.h"

/* ---- options ----------------------------------------------------------------------------------------------------- */

enum what { CHECK, CONFIGURATION, KEEPALIVE, PORT, SCRIPTS, SHOW_HELP, SHOW_VERSION };

static const struct row {
	struct option_word word;
	enum what what;
	const char *help;
} rows[] = {
	{{0, "check", NULL}, CHECK, N_("check the configuration and the scripts, and exit")},
	{{'c', "config", N_("FILE")}, CONFIGURATION, N_("configuration file")},
	{{'h', "help", NULL}, SHOW_HELP, N_("this text")},
	{{'k', "keepalive", N_("SECONDS")},
	 KEEPALIVE,
	 N_("time for which a script runs after the last scrape (300); 0: for ever")},
	{{'p', "port", N_("PORT")}, PORT, N_("listen on this port (9900)")},
	{{'s', "scripts", N_("DIRECTORY")}, SCRIPTS, N_("directory of scripts")},
	{{'V', "version", NULL}, SHOW_VERSION, N_("print the version")},
};

static const struct option_table option_table = OPTION_TABLE(rows);

struct arguments {
	const char *configuration;
	struct exporter_overrides overrides;
	bool checks, is_served;
};

static void show_help(void)
{
	printf(_("Usage: stap-exporter [options]\n"
		 "Serve metrics of scripts over HTTP, in the formats of Prometheus.\n\n"));
	option_words_show(&option_table, offsetof(struct row, help));
}

static struct error *set_number(const char *name, const char *argument, int64_t most, int64_t *ret)
{
	if (parse_number(argument, 10, 0, most, ret))
		return NULL;
	return error_new(ERROR_OTHER, _("--%s requires a number from %lld to %lld, not '%s'"), name, 0LL,
			 (long long)most, argument);
}

static struct error *apply(const struct row *row, struct arguments *arguments)
{
	switch (row->what) {
	case CHECK:
		arguments->checks = true;
		break;
	case CONFIGURATION:
		arguments->configuration = optarg;
		break;
	case SHOW_HELP:
		show_help();
		arguments->is_served = true;
		break;
	case KEEPALIVE:
		return set_number(row->word.name, optarg, G_MAXINT32, &arguments->overrides.keepalive);
	case PORT:
		return set_number(row->word.name, optarg, G_MAXUINT16, &arguments->overrides.port);
	case SCRIPTS:
		arguments->overrides.scripts = optarg;
		break;
	case SHOW_VERSION:
		printf("stap-exporter (Spile) %s\n", PACKAGE_VERSION);
		arguments->is_served = true;
		break;
	}
	return NULL;
}

static struct error *parse(int argc, char **argv, struct arguments *arguments)
{
	struct option_words words;
	struct error *error = NULL;
	int option;

	*arguments = (struct arguments){.overrides = {.port = -1, .keepalive = -1}};
	option_words_make(&option_table, "", &words);
	while (!error && (option = getopt_long(argc, argv, words.letters, words.names, NULL)) != -1) {
		const struct row *row = option_row_of(&option_table, option);

		error = row ? apply(row, arguments) : error_new(ERROR_OTHER, _("Try '%s --help'."), "stap-exporter");
	}
	if (!error && optind < argc)
		error = error_new(ERROR_OTHER, _("Try '%s --help'."), "stap-exporter");
	return error;
}

/* ---- the service ------------------------------------------------------------------------------------------------- */

static struct service {
	const struct arguments *arguments;
	GMainLoop *loop;
	struct registry *registry;
	struct http *http;
	bool is_ending;
} service;

/*
 * Check in the next round of the main loop whether this was the last script, because it may be freed only after this
 * call.
 */
static gboolean end_if_stopped(gpointer data)
{
	if (service.is_ending && registry_is_stopped(service.registry))
		g_main_loop_quit(service.loop);
	return G_SOURCE_REMOVE;
}

static void on_script_change(struct script *script, void *context)
{
	http_wake(service.http, script);
	if (service.is_ending)
		g_idle_add(end_if_stopped, NULL);
}

static gboolean on_end(gpointer data)
{
	if (service.is_ending)
		return G_SOURCE_CONTINUE;
	service.is_ending = true;
	server_log(_("ending all scripts"));
	http_end(service.http);
	service.http = NULL;
	registry_stop(service.registry);
	g_idle_add(end_if_stopped, NULL);
	return G_SOURCE_CONTINUE;
}

static void log_error(struct error *error)
{
	server_log("%s", error->message);
	if (error->hint)
		server_log(_("hint: %s"), error->hint);
	error_free(error);
}

/* A configuration with an error changes nothing. */
static struct error *load(void)
{
	struct exporter_settings *settings;
	struct error *error = settings_read(service.arguments->configuration, &service.arguments->overrides, &settings);

	if (error)
		return error;
	error = http_check(settings);
	error = error ?: registry_load(service.registry, settings);
	error = error ?: http_start(settings, service.registry, service.http, &service.http);
	settings_unref(settings);
	return error;
}

static gboolean on_reload(gpointer data)
{
	struct error *error;

	if (service.is_ending)
		return G_SOURCE_CONTINUE;
	error = load();
	if (error)
		log_error(error_prefix(error, _("the configuration is not changed")));
	else
		server_log(_("the configuration was read again"));
	return G_SOURCE_CONTINUE;
}

static struct error *serve(const struct arguments *arguments)
{
	struct error *error;

	service = (struct service){
		.arguments = arguments,
		.loop = g_main_loop_new(NULL, FALSE),
		.registry = registry_new(on_script_change, NULL),
	};
	/* Clients and scripts may close their ends at any time. */
	signal(SIGPIPE, SIG_IGN);
	g_unix_signal_add(SIGTERM, on_end, NULL);
	g_unix_signal_add(SIGINT, on_end, NULL);
	g_unix_signal_add(SIGHUP, on_reload, NULL);
	error = load();
	/* If the address is in use, scripts may have been started already. */
	if (error)
		on_end(NULL);
	g_main_loop_run(service.loop);
	registry_free(service.registry);
	g_main_loop_unref(service.loop);
	return error;
}

/* Read everything that serving would, and report all refused scripts. */
static struct error *check(const struct arguments *arguments)
{
	struct exporter_settings *settings;
	struct error *error = settings_read(arguments->configuration, &arguments->overrides, &settings);
	unsigned int refused = 0;

	if (error)
		return error;
	error = http_check(settings);
	error = error ?: registry_check(settings, &refused);
	settings_unref(settings);
	if (!error && refused)
		error = error_new(ERROR_OTHER, _("%u scripts are refused"), refused);
	return error;
}

int main(int argc, char **argv)
{
	struct arguments arguments;
	struct error *error;

	standard_streams_open();
	i18n_init(locale_directory());
	environment_check();
	error = parse(argc, argv, &arguments);
	if (!error && !arguments.is_served)
		error = arguments.checks ? check(&arguments) : serve(&arguments);
	return standard_output_finish(error_report_free(error) ? EXIT_FAILURE : EXIT_SUCCESS);
}
