// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun: load a module built by stap, print its output, remove it.
 *
 * It may be installed set-uid root, so it cleans up what its caller left before anything else.
 */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "staprun/options.h"
#include "staprun/privilege.h"
#include "staprun/run.h"

int main(int argc, char **argv)
{
	struct options options = OPTIONS_STANDARD(PROGRAM_STAPRUN);
	char **environment;
	int status;

	/*
	 * Scripts compare execname() with "staprun", but this may run as an argument of the dynamic loader
	 * (translator/run/shell.c).
	 */
	prctl(PR_SET_NAME, "staprun");
	privilege_clean_descriptors(STDERR_FILENO + 1);
	/* Write whole lines: two processes and the user's command share standard error. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	environment = privilege_clean_environment();
	i18n_init(locale_directory());
	status = options_parse(&options, argc, argv);
	return status ?: run_as_asked(&options, NULL, environment);
}
