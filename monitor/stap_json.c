// SPDX-License-Identifier: GPL-2.0-or-later
/* stap-json, which staprun starts for -J; see json_relay.c. */
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "monitor/json_relay.h"

int main(int argc, char **argv)
{
	standard_streams_open();
	i18n_init(locale_directory());
	return json_relay_main(argc, argv);
}
