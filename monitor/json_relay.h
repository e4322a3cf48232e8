/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The main function of stap-json; see json_relay.c. */
#ifndef SPILE_MONITOR_JSON_RELAY_H
#define SPILE_MONITOR_JSON_RELAY_H

/** Do what the arguments of staprun/monitor.c request. Return the exit status. */
int json_relay_main(int argc, char **argv);

#endif
