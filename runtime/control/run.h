/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start and stop of the script. */
#ifndef SPILE_RUNTIME_CONTROL_RUN_H
#define SPILE_RUNTIME_CONTROL_RUN_H

#include "runtime/core/internal.h"

/** Run the begin probes and arm the others. Return 0 or an errno. The caller holds the lock of the control file. */
int session_start(void);
/** Disarm, and run the end probes if @p run_end_probes. Do nothing if the session does not run. */
void session_stop(bool run_end_probes);

#endif
