/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel releases and their short forms.
 *
 * A Debian release is VERSION[-ABI]-FLAVOUR ("6.1.0-56-cloud-amd64", "6.12.117+deb12-rt-amd64"). A short form names a
 * series and optionally a flavour ("6.1", "6.12-rt", "6.1-amd64") and means the newest such release; the flavour left
 * out is the cloud one, the smallest that boots in a virtual machine.
 */
#ifndef SPILE_UTIL_RELEASE_H
#define SPILE_UTIL_RELEASE_H

#include <glib.h>

/**
 * The releases that @p name means among @p releases (char *): the one of that name, which "7.3-cloud-amd64" can be as
 * well as a short form, or all of the short form, newest first. The strings are borrowed.
 */
GPtrArray *release_select(const char *name, const GPtrArray *releases);

/** A flavour's name with the architecture ("rt-amd64"); NULL is the one that a short form without any means. */
char *release_full_flavour(const char *flavour);

/** The releases of a flavour in @p releases, as above. */
GPtrArray *release_select_flavour(const char *flavour, const GPtrArray *releases);

/** Compare two as versions: runs of digits by value, '~' before all else and before the end (deb-version(7)). */
int release_compare(const char *a, const char *b);

/** Orders for g_ptr_array_sort() of releases (char *). */
int release_oldest_first(gconstpointer a, gconstpointer b);
int release_newest_first(gconstpointer a, gconstpointer b);

#endif
