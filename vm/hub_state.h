/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the hub, which hub.c and hub_trouble.c share. */
#ifndef SPILE_VM_HUB_STATE_H
#define SPILE_VM_HUB_STATE_H

#include "vm/console.h"
#include "vm/hub.h"
#include "vm/link.h"
#include "vm/snapshot.h"

enum {
	STREAMS = 3,
	REPORT_SECONDS = 1, /* for the rest of a report to arrive */
};

struct client {
	struct link link;
	unsigned int channel; /* of its current or last command */
	bool running; /* the command has not ended yet */
	bool troubled; /* the kernel reported an error while it ran */
	bool told; /* that the guest, or its last command, is lost; only once, to bound the cost of repeated requests */
	bool ended; /* the command has ended with this status, which is sent after the rest of the report */
	uint32_t status;
	size_t on_the_way[STREAMS]; /* unacknowledged bytes of its command's streams */
};

/* The event that the hub waits for until the guest is ready. */
enum phase {
	PHASE_RESTORED, /* the agent's reply to FRAME_BEGIN */
	PHASE_SNAPSHOT, /* FRAME_HELLO, to take a snapshot */
	PHASE_BOOT, /* FRAME_HELLO */
	PHASE_BEGUN, /* FRAME_READY */
};

struct hub {
	const struct hub_options *options;
	struct snapshot *snapshot; /* to restore or to take; NULL: none */
	enum phase phase;
	gint64 started;
	bool files_sent;
	struct qemu qemu;
	struct link agent;
	GPtrArray *clients;
	int listener; /* -1: no socket */
	int signals;
	unsigned int last_channel;
	struct console console;
	const char *report; /* the first error that will be reported to a running command; NULL: none */
	bool greeted; /* the agent has sent HELLO */
	bool ready;
	bool panicked;
	bool dead;
	bool stopping;
	gint64 deadline; /* monotonic microseconds; 0: none */
	gint64 idle_since; /* monotonic microseconds; 0: is_idle() does not apply */
	bool paused; /* QEMU is stopped */
	const char *meaning; /* the guest's failure, reported at the deadline at the latest; NULL: none */
};

/* ---- hub_trouble.c ----------------------------------------------------------------------------------------------- */

/** Report to a client that its command, or the guest, is lost. Kill a command that still runs. */
void hub_fail_client(struct hub *hub, struct client *client, const char *meaning);
/** @p meaning is the failure that is reported at the deadline, or NULL. */
void hub_set_deadline(struct hub *hub, int seconds, const char *meaning);
/** Declare the guest dead and report that to current and later clients. */
void hub_declare_dead(struct hub *hub, const char *meaning);
/** Send the kernel's error report and then the exit status to each client whose command has ended. */
void hub_report_ended(struct hub *hub);
/** Fail the commands that still run at the deadline after an oops; they may hang forever. */
void hub_fail_running(struct hub *hub);
/** Write to the file of the console, if there is one. */
void hub_write_console(struct hub *hub, const char *text, size_t length);
/** Read the console and note the kernel's errors. Return false at its end, when QEMU has ended. */
bool hub_watch_console(struct hub *hub);

#endif
