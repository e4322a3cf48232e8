/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel releases and their short forms.
 *
 * A Debian release is VERSION[-ABI]-FLAVOR ("6.1.0-56-cloud-amd64", "6.12.117+deb12-rt-amd64"). A short form consists
 * of a series and optionally a flavor ("6.1", "6.12-rt", "6.1-amd64"), and selects the newest such release. The default
 * flavor is cloud, the smallest that boots in a virtual machine, and the default architecture is that of this machine.
 * "6.1-arm64" selects the flavor cloud-arm64 on every machine. Ubuntu's releases ("6.8.0-45-generic") have the same
 * form without an architecture, and the default flavor generic.
 */
#ifndef SPILE_COMMON_RELEASE_H
#define SPILE_COMMON_RELEASE_H

#include <glib.h>
#include <stdbool.h>

/**
 * Select from @p releases (char *) the one called @p name, or else all that match it as a short form, newest first. A
 * name such as "7.3-cloud-amd64" can be both. The strings are borrowed.
 */
GPtrArray *release_select(const char *name, const GPtrArray *releases);

/**
 * Return whether the name may be a release of Debian's or a short form, so that stap-vm can fetch that kernel. Others
 * are self-built, or of other distributions.
 */
bool release_may_be_fetched(const char *name);

/**
 * Return the name of a kernel's RPM package with its version, for hints: "kernel-rt-devel-6.12.9-200.fc41.x86_64" for
 * the part "-devel" of "6.12.9-200.fc41.x86_64+rt". NULL if the release is not one of Fedora, RHEL or their relatives.
 * Free with g_free().
 */
char *release_rpm(const char *release, const char *part);

/** Return whether it is a release of Ubuntu's ("6.8.0-45-generic"), for hints that name its packages. */
bool release_is_ubuntu(const char *release);

/** Return a flavor's name with the architecture ("rt-amd64"); NULL means the default flavor. */
char *release_full_flavour(const char *flavour);

/** Select the releases of a flavor, newest first. */
GPtrArray *release_select_flavour(const char *flavour, const GPtrArray *releases);

/** Compare two releases as versions: runs of digits by value; '~' sorts before everything (deb-version(7)). */
int release_compare(const char *a, const char *b);

/** Compare two elements of an array of releases (char *), for g_ptr_array_sort(). */
int release_oldest_first(gconstpointer a, gconstpointer b);
int release_newest_first(gconstpointer a, gconstpointer b);

#endif
