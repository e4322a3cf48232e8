// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The part exposed to the network: do the TLS handshake, check that the client was accepted, and then copy bytes
 * between two descriptors. Before it reads the first byte, the process drops every right with which it could do harm:
 * it cannot open files, start programs or connect. Its only secret is the TLS key.
 */
#include "server/gate.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "common/wire/protocol.h"
#include "server/identity.h"
#include "server/log.h"
#include "server/system_calls.h"
#include "server/trust.h"
#include "server/tunnel.h"

enum { SECONDS_TO_SHAKE_HANDS = 10, SECONDS_OF_PATIENCE = 60 };

/* The system calls needed to copy bytes. Some architectures lack some of them. */
static const int allowed_calls[] = {
	SYS_read,
	SYS_write,
	SYS_close,
	SYS_ppoll,
	SYS_recvfrom,
	SYS_sendto,
	SYS_recvmsg,
	SYS_sendmsg,
	SYS_shutdown,
	SYS_brk,
	SYS_mmap,
	SYS_munmap,
	SYS_mremap,
	SYS_mprotect,
	SYS_madvise,
	SYS_futex,
	SYS_getrandom,
	SYS_clock_gettime,
	SYS_exit,
	SYS_exit_group,
	SYS_fcntl,
	SYS_rt_sigreturn,
	SYS_rt_sigprocmask,
	SYS_getpid,
	SYS_gettid,
	SYS_fstat,
	SYS_writev,
	SYS_gettimeofday,
	SYS_restart_syscall,
#ifdef SYS_poll
	SYS_poll,
#endif
#ifdef SYS_time
	SYS_time,
#endif
};

static void limit(int resource, rlim_t most)
{
	setrlimit(resource, &(struct rlimit){most, most});
}

/* Read the list of accepted clients before the sandbox prevents it. */
static char *accepted_clients(const struct server_settings *settings)
{
	g_autofree char *path = settings_clients_file(settings);
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return text ? text : g_strdup("");
}

static void refuse(SSL *ssl, const char *fingerprint)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct error *error = error_with_hint(error_new(ERROR_OTHER, _("this client is not accepted: %s"), fingerprint),
					      _("run 'stap-server accept %s NAME' on the server"), fingerprint);

	frame_append_error(bytes, error);
	error_free(error);
	tunnel_say(ssl, bytes->data, bytes->len);
}

static bool introduce(int plain, const char *fingerprint)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	frame_append(bytes, FRAME_CLIENT, fingerprint, strlen(fingerprint));
	return write_all(plain, (const char *)bytes->data, bytes->len);
}

static struct error *let_in(const struct server_settings *settings, SSL *ssl, int plain, const char *accepted,
			    const char *peer)
{
	g_autofree char *fingerprint = NULL;
	struct error *error = tunnel_begin(ssl, SECONDS_TO_SHAKE_HANDS);

	if (error)
		return error;
	fingerprint = tunnel_peer(ssl);
	if (!fingerprint)
		return error_new(ERROR_OTHER, _("the client has no certificate"));
	if (!settings->accepts_everybody && !trust_text_has(accepted, fingerprint)) {
		server_log("%s %s: not accepted", peer, fingerprint);
		refuse(ssl, fingerprint);
		return NULL;
	}
	if (!introduce(plain, fingerprint))
		return NULL;
	return tunnel_carry(ssl, plain, plain, true, SECONDS_OF_PATIENCE);
}

void gate_run(const struct server_settings *settings, SSL_CTX *context, int socket, int plain, const char *peer)
{
	g_autofree char *accepted = accepted_clients(settings);
	SSL *ssl = SSL_new(context);
	struct error *error;

	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_CORE, 0);
	/* The handler ends when the service drops the connection. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!ssl || !SSL_set_fd(ssl, socket) || !system_calls_allow_only(allowed_calls, G_N_ELEMENTS(allowed_calls)))
		_exit(EXIT_FAILURE);
	SSL_set_accept_state(ssl);
	error = let_in(settings, ssl, plain, accepted, peer);
	/* Log port scanners and aborted clients, too, for the diagnosis of failures. */
	if (error)
		server_log("%s: %s", peer, error->message);
	_exit(error ? EXIT_FAILURE : EXIT_SUCCESS);
}
