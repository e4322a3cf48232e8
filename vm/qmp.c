// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * QMP, QEMU's control protocol. A command is a JSON object, and so is each line from QEMU: a greeting, the result or
 * error of a command, or an event. Only the end of a migration matters among events. Lines are checked only for their
 * beginning or for a word, which needs no JSON parser.
 */
#include "vm/qmp.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/i18n.h"

/* Wait for more data. Return an error at end of file or timeout. */
static struct error *receive(struct qmp *qmp)
{
	struct pollfd wait = {.fd = qmp->fd, .events = POLLIN};
	gint64 left = (qmp->deadline - g_get_monotonic_time()) / 1000;
	char text[4096];
	ssize_t count;

	if (left <= 0 || !poll(&wait, 1, left))
		return error_new(ERROR_OTHER, _("QEMU does not answer"));
	count = read(qmp->fd, text, sizeof(text));
	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return NULL;
	if (count <= 0)
		return error_new(ERROR_OTHER, _("QEMU has ended"));
	g_string_append_len(qmp->received, text, count);
	return NULL;
}

/* Read the next line that is not an event, or return with *line NULL after the end of a migration. */
static struct error *next_line(struct qmp *qmp, char **line)
{
	struct error *error = NULL;

	while (!error) {
		char *end = strchr(qmp->received->str, '\n');

		if (!end) {
			error = receive(qmp);
			continue;
		}
		*line = g_strndup(qmp->received->str, end - qmp->received->str);
		g_string_erase(qmp->received, 0, end + 1 - qmp->received->str);
		if (!strstr(*line, "\"event\": "))
			return NULL;
		if (strstr(*line, "\"MIGRATION\"") && strstr(*line, "\"completed\""))
			qmp->migration = MIGRATION_COMPLETED;
		else if (strstr(*line, "\"MIGRATION\"") && strstr(*line, "\"failed\""))
			qmp->migration = MIGRATION_FAILED;
		g_clear_pointer(line, g_free);
		if (qmp->migration != MIGRATION_NONE)
			return NULL;
	}
	return error;
}

static struct error *take_answer(struct qmp *qmp, const char *order)
{
	struct error *error = NULL;
	g_autofree char *line = NULL;

	while (!error && !line)
		error = next_line(qmp, &line);
	if (!error && !g_str_has_prefix(line, "{\"return\""))
		error = error_new(ERROR_OTHER, _("unexpected reply %s from QEMU to %s"), line, order);
	return error;
}

struct error *qmp_command(struct qmp *qmp, const char *order)
{
	if (write(qmp->fd, order, strlen(order)) != (ssize_t)strlen(order))
		return error_errno(_("cannot send a command to QEMU"));
	return take_answer(qmp, order);
}

struct error *qmp_pass_file(struct qmp *qmp, const char *name, int file)
{
	g_autofree char *order = g_strdup_printf("{\"execute\": \"getfd\", \"arguments\": {\"fdname\": \"%s\"}}", name);
	struct iovec text = {.iov_base = order, .iov_len = strlen(order)};
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(file))];
	} control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(file))}};
	const struct msghdr message = {
		.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};

	memcpy(CMSG_DATA(&control.header), &file, sizeof(file));
	if (sendmsg(qmp->fd, &message, 0) != (ssize_t)text.iov_len)
		return error_errno(_("cannot send a command to QEMU"));
	return take_answer(qmp, order);
}

struct error *qmp_begin(struct qmp *qmp, int fd, unsigned int milliseconds)
{
	struct error *error;
	g_autofree char *greeting = NULL;

	*qmp = (struct qmp){.fd = fd,
			    .received = g_string_new(NULL),
			    .deadline = g_get_monotonic_time() + milliseconds * G_TIME_SPAN_MILLISECOND};
	error = next_line(qmp, &greeting);
	return error ?: qmp_command(qmp, "{\"execute\": \"qmp_capabilities\"}");
}

struct error *qmp_wait_migration(struct qmp *qmp)
{
	struct error *error = NULL;

	while (!error && qmp->migration == MIGRATION_NONE) {
		g_autofree char *line = NULL;

		error = next_line(qmp, &line);
	}
	if (!error && qmp->migration == MIGRATION_FAILED)
		error = error_new(ERROR_OTHER, _("QEMU could not transfer the state of the guest's devices"));
	return error;
}

void qmp_end(struct qmp *qmp)
{
	g_string_free(qmp->received, TRUE);
}
