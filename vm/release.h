/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel releases and their short forms.
 *
 * A Debian release is VERSION[-ABI]-FLAVOUR ("6.1.0-56-cloud-amd64", "6.12.117+deb12-rt-amd64"). A short form names a
 * series and optionally a flavour ("6.1", "6.12-rt", "6.1-amd64") and means the newest such release; the flavour left
 * out is the cloud one, the smallest that boots in a virtual machine.
 */
#ifndef SPILE_VM_RELEASE_H
#define SPILE_VM_RELEASE_H

#include <glib.h>
#include <stdbool.h>

/** Is @p name a short form, and does @p release belong to it? A full release is not a short form of itself. */
bool release_matches(const char *name, const char *release);

/** The releases of the short form @p name in @p releases (char *), newest first. The strings are borrowed. */
GPtrArray *release_select(const char *name, const GPtrArray *releases);

/** A flavour's name with the architecture ("rt-amd64"); NULL is the one that a short form without any means. */
char *release_full_flavour(const char *flavour);

/** The releases of a flavour in @p releases, as above. */
GPtrArray *release_select_flavour(const char *flavour, const GPtrArray *releases);

/** Order for g_ptr_array_sort() of releases (char *). */
int release_newest_first(gconstpointer a, gconstpointer b);

#endif
