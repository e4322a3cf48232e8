// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's agent: /init, process 1 of a throwaway guest.
 *
 * It mounts file systems, loads the modules of its transport, opens the port named by spile.port= on the kernel's
 * command line and sends HELLO. In this state a snapshot of the guest may be taken, and the guest may continue any
 * number of times, at other places and times (snapshot.c). Hence everything specific to one guest follows later, when
 * the hub sends BEGIN: the time, random numbers, files, and the modules listed in /etc/spile/modules.
 *
 * Then it runs commands for stap-vm (link.h has the protocol). One poll loop serves the port, the pipes of the commands
 * and the end of processes. So several commands run concurrently, and a signal reaches a command that is blocked on its
 * output.
 *
 * The trap: a command may leave children behind that hold its standard output open. Its end is therefore reported as
 * soon as the command itself is dead and the pipes are empty, not when they are closed.
 *
 * Static, and without GLib: the guest contains only busybox.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "vm/link.h"
#include "vm/agent/unpack.h"

enum {
	MAX_COMMANDS = 32,
	CHUNK = 32 * 1024,
	CONSOLE_LEVEL = 5,
	PORT_TRIES = 5000,
	PORT_WAIT = 2000 /* microseconds */
};

/* A running command. Free slots have channel 0. */
struct command {
	unsigned int channel;
	pid_t pid;
	int fds[3]; /* our ends of its standard streams, -1 when closed */
	size_t unacknowledged[3]; /* of its output */
	uint8_t *input; /* up to LINK_WINDOW bytes that it has not read yet */
	size_t input_start, input_end;
	bool input_closed; /* the end of input was received */
	bool dead;
	uint32_t status;
};

static struct command commands[MAX_COMMANDS];
static struct link host = {.fd = -1};
static struct unpacker unpacker;
static char boot_failure[512];

static const struct {
	const char *source, *target, *type, *options;
} mounts[] = {
	{"proc", "/proc", "proc", ""},
	{"sysfs", "/sys", "sysfs", ""},
	{"devtmpfs", "/dev", "devtmpfs", ""},
	{"tmpfs", "/dev/shm", "tmpfs", "mode=1777"},
	{"devpts", "/dev/pts", "devpts", ""},
	{"debugfs", "/sys/kernel/debug", "debugfs", ""},
	{"tracefs", "/sys/kernel/tracing", "tracefs", ""},
};

static const struct {
	const char *path, *target;
} device_links[] = {
	{"/dev/fd", "/proc/self/fd"},
	{"/dev/stdin", "/proc/self/fd/0"},
	{"/dev/stdout", "/proc/self/fd/1"},
	{"/dev/stderr", "/proc/self/fd/2"},
};

/*
 * Make shared directories writable for all users. An archive may have created them as parents of a file, with other
 * permissions.
 */
static void open_to_all(void)
{
	chmod("/tmp", 01777);
	chmod("/dev/shm", 01777);
}

/*
 * Mount the usual file systems. Ignore failures: the kernel may lack one, and a command that needs it reports that
 * better. Do not mount /tmp: the root is in memory already, and a mount would hide files that were packed there.
 */
static void mount_all(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].target, 0755);
		mount(mounts[i].source, mounts[i].target, mounts[i].type, 0, mounts[i].options);
	}
	open_to_all();
	for (size_t i = 0; i < sizeof(device_links) / sizeof(device_links[0]); i++) {
		if (symlink(device_links[i].target, device_links[i].path) < 0)
			fprintf(stderr, "spile-agent: %s: %s\n", device_links[i].path, strerror(errno));
	}
}

static void loopback_up(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
}

/* Load one module. Succeed if it is already loaded. */
static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != EEXIST))
		snprintf(boot_failure, sizeof(boot_failure), "cannot load module %.300s: %.100s", path,
			 strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* Load the modules of a list, which has one path per line in load order. */
static void load_modules(const char *list)
{
	char path[4096];
	FILE *file = fopen(list, "re");

	if (!file)
		return;
	while (fgets(path, sizeof(path), file)) {
		path[strcspn(path, "\n")] = '\0';
		load_module(path);
	}
	fclose(file);
}

/* Return the value of spile.port= on the kernel's command line. */
static void port_name(char *name, size_t size)
{
	static const char key[] = "spile.port=";
	char line[4096] = "";
	FILE *file = fopen("/proc/cmdline", "re");
	const char *value;

	if (file) {
		if (!fgets(line, sizeof(line), file))
			*line = '\0';
		fclose(file);
	}
	value = strstr(line, key);
	snprintf(name, size, "%s", value ? value + strlen(key) : "/dev/ttyS1");
	name[strcspn(name, " \n")] = '\0';
}

/* Wait until the host's side of a virtio port is open. Before that, the port polls as hung up and reads as ended. */
static void wait_for_host(int fd)
{
	struct pollfd port = {.fd = fd};

	for (int tries = 0; tries < PORT_TRIES; tries++) {
		if (poll(&port, 1, 0) <= 0 || !(port.revents & POLLHUP))
			return;
		usleep(PORT_WAIT);
	}
}

/* Open the port to the host. Retry, because a virtio port appears only some time after its driver was loaded. */
static int open_port(void)
{
	struct termios settings;
	char name[256];
	int fd = -1;

	port_name(name, sizeof(name));
	for (int tries = 0; fd < 0 && tries < PORT_TRIES; tries++) {
		fd = open(name, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0)
			usleep(PORT_WAIT);
	}
	if (fd < 0) {
		fprintf(stderr, "spile-agent: cannot open %s: %s\n", name, strerror(errno));
		return -1;
	}
	if (!tcgetattr(fd, &settings)) {
		cfmakeraw(&settings);
		cfsetspeed(&settings, B115200);
		tcsetattr(fd, TCSANOW, &settings);
	}
	wait_for_host(fd);
	return fd;
}

static void power_off(void)
{
	reboot(RB_POWER_OFF);
}

static struct command *find_command(unsigned int channel)
{
	for (size_t i = 0; i < MAX_COMMANDS; i++) {
		if (commands[i].channel == channel)
			return &commands[i];
	}
	return NULL;
}

static void close_stream(struct command *command, int stream)
{
	if (command->fds[stream] >= 0)
		close(command->fds[stream]);
	command->fds[stream] = -1;
}

static void free_command(struct command *command)
{
	for (int stream = 0; stream < 3; stream++)
		close_stream(command, stream);
	free(command->input);
	memset(command, 0, sizeof(*command));
}

/*
 * Split @p count NUL-terminated strings off the payload into a NULL-terminated array. Return false if there are fewer.
 */
static bool take_strings(const char **text, const char *end, uint32_t count, char **strings)
{
	for (uint32_t i = 0; i < count; i++) {
		const char *stop = memchr(*text, '\0', end - *text);

		if (!stop)
			return false;
		strings[i] = (char *)*text;
		*text = stop + 1;
	}
	strings[count] = NULL;
	return true;
}

/* Execute a command in the child process. */
static void __attribute__((noreturn)) become(const char *directory, char **arguments, char **environment, int ends[3])
{
	sigset_t none;
	int cause;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	for (int stream = 0; stream < 3; stream++)
		dup2(ends[stream], stream);
	if (chdir(directory) < 0 && chdir("/") < 0)
		_exit(126);
	/* execvpe() searches the PATH of this process. */
	setenv("PATH", "/bin:/sbin:/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin", 1);
	execvpe(arguments[0], arguments, environment);
	cause = errno;
	dprintf(STDERR_FILENO, "stap-vm: cannot run %s in the guest: %s\n", arguments[0], strerror(cause));
	_exit(cause == ENOENT ? 127 : 126);
}

/* Create pipes for a command's three streams: theirs[] for the child, ours[] (non-blocking) for the poll loop. */
static bool make_pipes(int theirs[3], int ours[3])
{
	for (int stream = 0; stream < 3; stream++) {
		int pair[2];
		bool input = stream == STDIN_FILENO;

		if (pipe2(pair, O_CLOEXEC) < 0)
			return false;
		theirs[stream] = pair[input ? 0 : 1];
		ours[stream] = pair[input ? 1 : 0];
		fcntl(ours[stream], F_SETFL, O_NONBLOCK);
	}
	return true;
}

static void close_all(int fds[3])
{
	for (int stream = 0; stream < 3; stream++) {
		if (fds[stream] >= 0)
			close(fds[stream]);
	}
}

static bool start_command(struct command *command, const char *directory, char **arguments, char **environment)
{
	int theirs[3] = {-1, -1, -1}, ours[3] = {-1, -1, -1};
	uint8_t *input = malloc(LINK_WINDOW);
	pid_t pid = -1;

	if (input && make_pipes(theirs, ours))
		pid = fork();
	if (pid == 0)
		become(directory, arguments, environment, theirs);
	close_all(theirs);
	if (pid < 0) {
		close_all(ours);
		free(input);
		return false;
	}
	command->pid = pid;
	command->input = input;
	memcpy(command->fds, ours, sizeof(ours));
	return true;
}

/* Handle FRAME_EXEC. */
static void execute(const struct frame *frame)
{
	const char *text = (const char *)frame->payload + sizeof(struct exec_header);
	const char *end = (const char *)frame->payload + frame->header.length;
	struct command *command = find_command(0);
	struct exec_header counts;
	char **arguments, **environment, *directory[2];
	bool started = false;

	if (frame->header.length < sizeof(counts) || find_command(frame->header.channel))
		return;
	memcpy(&counts, frame->payload, sizeof(counts));
	if (counts.arguments > frame->header.length || counts.environment > frame->header.length)
		return;
	arguments = calloc(counts.arguments + 1, sizeof(*arguments));
	environment = calloc(counts.environment + 1, sizeof(*environment));
	if (command && arguments && environment && counts.arguments && take_strings(&text, end, 1, directory) &&
	    take_strings(&text, end, counts.arguments, arguments) &&
	    take_strings(&text, end, counts.environment, environment))
		started = start_command(command, directory[0], arguments, environment);
	if (started)
		command->channel = frame->header.channel;
	else
		link_send_number(&host, FRAME_EXIT, 0, frame->header.channel, 126);
	free(arguments);
	free(environment);
}

/* Buffer data for a command's standard input. Acknowledge data that it will not read. */
static void accept_input(struct command *command, const struct frame *frame)
{
	size_t kept = command->input_end - command->input_start;

	if (!frame->header.length) {
		command->input_closed = true;
		return;
	}
	if (command->fds[STDIN_FILENO] < 0 || kept + frame->header.length > LINK_WINDOW) {
		link_send_number(&host, FRAME_ACK, STDIN_FILENO, command->channel, frame->header.length);
		return;
	}
	memmove(command->input, command->input + command->input_start, kept);
	memcpy(command->input + kept, frame->payload, frame->header.length);
	command->input_start = 0;
	command->input_end = kept + frame->header.length;
}

/* Send a signal as a terminal does (to the whole process group) or as kill(1) does (to one process). */
static void signal_command(const struct command *command, int number)
{
	bool from_terminal = number == SIGINT || number == SIGQUIT || number == SIGHUP;

	if (!command->dead)
		kill(from_terminal ? -command->pid : command->pid, number);
}

static void cancel_command(struct command *command)
{
	kill(-command->pid, SIGKILL);
	free_command(command);
}

/* Add entropy from the host: guests from the same snapshot share the random state up to here. */
static void stir_random(const uint8_t *entropy, size_t size)
{
	struct {
		struct rand_pool_info info;
		uint8_t bytes[sizeof(((struct begin_header *)0)->entropy)];
	} pool = {.info = {.entropy_count = size * 8, .buf_size = size}};
	int fd = open("/dev/urandom", O_RDWR | O_CLOEXEC);

	memcpy(pool.info.buf, entropy, size);
	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &pool) < 0)
		snprintf(boot_failure, sizeof(boot_failure), "cannot stir the random numbers: %s", strerror(errno));
	/* This fails before the generator was first seeded, when it need not be reseeded. */
	ioctl(fd, RNDRESEEDCRNG);
	close(fd);
}

/* Handle FRAME_BEGIN. */
static void begin(const struct frame *frame)
{
	struct begin_header header;
	struct timespec now;

	if (frame->header.length != sizeof(header))
		return;
	memcpy(&header, frame->payload, sizeof(header));
	now = (struct timespec){.tv_sec = header.seconds, .tv_nsec = header.nanoseconds};
	if (clock_settime(CLOCK_REALTIME, &now) < 0)
		snprintf(boot_failure, sizeof(boot_failure), "cannot set the clock: %s", strerror(errno));
	stir_random(header.entropy, sizeof(header.entropy));
	unpack_begin(&unpacker);
	link_send(&host, FRAME_BEGIN, 0, 0, NULL, 0);
}

/* Finish startup when all files have arrived. */
static void get_ready(void)
{
	if (!unpack_end(&unpacker))
		snprintf(boot_failure, sizeof(boot_failure), "%s", unpacker.failure);
	open_to_all();
	load_modules("/etc/spile/modules");
	klogctl(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, CONSOLE_LEVEL);
	link_send(&host, FRAME_READY, 0, 0, boot_failure, strlen(boot_failure));
}

static void handle_command_frame(struct command *command, const struct frame *frame)
{
	switch (frame->header.type) {
	case FRAME_DATA:
		accept_input(command, frame);
		break;
	case FRAME_ACK:
		command->unacknowledged[frame->header.stream] -= frame_number(frame);
		break;
	case FRAME_SIGNAL:
		signal_command(command, frame_number(frame));
		link_send_number(&host, FRAME_SIGNAL, 0, command->channel, frame_number(frame));
		break;
	case FRAME_CANCEL:
		cancel_command(command);
		break;
	}
}

static void handle_frame(const struct frame *frame)
{
	struct command *command = frame->header.channel ? find_command(frame->header.channel) : NULL;

	switch (frame->header.type) {
	case FRAME_BEGIN:
		begin(frame);
		break;
	case FRAME_FILES:
		if (frame->header.length)
			unpack(&unpacker, frame->payload, frame->header.length);
		else
			get_ready();
		break;
	case FRAME_EXEC:
		execute(frame);
		break;
	default:
		if (command && frame->header.stream <= STDERR_FILENO)
			handle_command_frame(command, frame);
	}
}

/* Write buffered input to a command. Acknowledge and discard input that the command no longer reads. */
static void feed(struct command *command)
{
	size_t kept = command->input_end - command->input_start;
	ssize_t count = kept;

	if (command->fds[STDIN_FILENO] >= 0 && kept)
		count = write(command->fds[STDIN_FILENO], command->input + command->input_start, kept);
	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (count < 0) {
		close_stream(command, STDIN_FILENO);
		count = kept;
	}
	if (count)
		link_send_number(&host, FRAME_ACK, STDIN_FILENO, command->channel, count);
	command->input_start += count;
	if (command->input_closed && command->input_start == command->input_end)
		close_stream(command, STDIN_FILENO);
}

static bool window_open(const struct command *command, int stream)
{
	return command->fds[stream] >= 0 && command->unacknowledged[stream] < LINK_WINDOW;
}

/* Read one chunk of a command's output and send it. Return false if no data is available. */
static bool forward(struct command *command, int stream)
{
	uint8_t chunk[CHUNK];
	size_t room = LINK_WINDOW - command->unacknowledged[stream];
	ssize_t count = read(command->fds[stream], chunk, room < CHUNK ? room : CHUNK);

	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (count <= 0) {
		close_stream(command, stream);
		return false;
	}
	command->unacknowledged[stream] += count;
	link_send(&host, FRAME_DATA, stream, command->channel, chunk, count);
	return true;
}

/*
 * Wait until the kernel has printed the messages that a command caused, so that the hub sees them before the status.
 * printk() may leave that to another CPU. Reading this file takes and releases the console lock, which prints them
 * (show_cons_active() in drivers/tty/tty_io.c).
 */
static void flush_console(void)
{
	char names[256];
	int fd = open("/sys/class/tty/console/active", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	/* Only the lock matters, not what is read. */
	(void)!read(fd, names, sizeof(names));
	close(fd);
}

/* Send the rest of a dead command's output, as far as the windows allow, and then its status. */
static void finish(struct command *command)
{
	for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
		while (window_open(command, stream) && forward(command, stream))
			;
		if (command->fds[stream] >= 0 && !window_open(command, stream))
			return;
	}
	flush_console();
	link_send_number(&host, FRAME_EXIT, 0, command->channel, command->status);
	free_command(command);
}

/* Reap dead processes: commands, and orphans that process 1 inherits. */
static void reap(void)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (size_t i = 0; i < MAX_COMMANDS; i++) {
			if (commands[i].channel && commands[i].pid == pid) {
				commands[i].dead = true;
				commands[i].status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
			}
		}
	}
}

/* Fill the poll array: the port, dead children, then three streams per command (poll skips negative descriptors). */
static void fill_poll(struct pollfd *polls, int signals)
{
	polls[0] = (struct pollfd){.fd = host.fd, .events = POLLIN | (link_pending(&host) ? POLLOUT : 0)};
	polls[1] = (struct pollfd){.fd = signals, .events = POLLIN};
	for (size_t i = 0; i < MAX_COMMANDS; i++) {
		struct pollfd *poll = polls + 2 + 3 * i;
		struct command *command = &commands[i];
		bool wants_input = command->input_end > command->input_start || command->input_closed;

		for (int stream = 0; stream < 3; stream++)
			poll[stream] = (struct pollfd){.fd = -1, .events = stream ? POLLIN : POLLOUT};
		if (!command->channel || command->dead)
			continue;
		if (wants_input)
			poll[STDIN_FILENO].fd = command->fds[STDIN_FILENO];
		for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
			if (window_open(command, stream))
				poll[stream].fd = command->fds[stream];
		}
	}
}

static void serve_commands(const struct pollfd *polls)
{
	for (size_t i = 0; i < MAX_COMMANDS; i++) {
		struct command *command = &commands[i];
		const struct pollfd *poll = polls + 3 * i;

		if (!command->channel)
			continue;
		if (poll[STDIN_FILENO].revents)
			feed(command);
		for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
			if (poll[stream].revents)
				forward(command, stream);
		}
		if (command->dead)
			finish(command);
	}
}

/*
 * Interval after which the port is polled even without an interrupt, because the interrupt for new data may be lost.
 * The guest's kernel writes "interrupt me" and then reads "is there data?". The device in another thread must see them
 * in this order. But TCG with one thread for all CPUs omits the guest's memory barriers. poll() itself checks the queue
 * at its start and its end.
 */
enum { LOOK_AGAIN_MILLISECONDS = 200 };

static void serve(int signals)
{
	struct pollfd polls[2 + 3 * MAX_COMMANDS];
	struct signalfd_siginfo information;
	struct frame frame;

	while (!host.broken) {
		link_flush(&host);
		fill_poll(polls, signals);
		if (poll(polls, sizeof(polls) / sizeof(polls[0]), LOOK_AGAIN_MILLISECONDS) < 0)
			continue;
		/* Serve commands first: a frame may close descriptors that poll() has just reported on. */
		if (polls[1].revents && read(signals, &information, sizeof(information)) > 0)
			reap();
		serve_commands(polls + 2);
		if (polls[0].revents & (POLLIN | POLLHUP | POLLERR))
			link_fill(&host);
		while (link_next(&host, &frame))
			handle_frame(&frame);
	}
}

static int block_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(void)
{
	int signals = block_signals();

	mount_all();
	loopback_up();
	load_modules("/etc/spile/transport");
	host.fd = open_port();
	if (host.fd >= 0) {
		link_send(&host, FRAME_HELLO, 0, 0, NULL, 0);
		serve(signals);
	}
	power_off();
	return 0;
}
