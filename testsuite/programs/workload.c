// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The workload of the examples in the suite `examples`: "workload NAME [NUMBER]" does one thing for about a second. The
 * table at the end lists the names.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void pause_ms(int ms)
{
	usleep(ms * 1000);
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Functions with names of their own that show in stacks. */
#define NAMED __attribute__((noinline, noclone))

static char *volatile kept;

static NAMED void remember_request(void)
{
	kept = malloc(1000);
	kept[0] = 1;
}

static NAMED void handle_request(void)
{
	char *scratch = malloc(5000);

	scratch[0] = 1;
	remember_request();
	kept = kept + (scratch[0] == 2);
	free(scratch);
}

static void leak_memory(int count)
{
	for (int i = 0; i < (count ?: 50); i++) {
		handle_request();
		pause_ms(10);
	}
}

/* Touch that many megabytes, twice. */
static void eat_memory(int megabytes)
{
	size_t size = (size_t)(megabytes ?: 32) << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	for (int round = 0; round < 2; round++)
		for (size_t at = 0; at < size; at += 4096)
			memory[at] = at >> 12;
}

/* One thread runs in a loop while the other changes mappings, which needs interrupts between CPUs. */
static void *map_and_unmap(void *unused)
{
	for (int i = 0; i < 300; i++) {
		char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		page[0] = 1;
		munmap(page, 8192);
		pause_ms(1);
	}
	return NULL;
}

/* ---- threads and locks ------------------------------------------------------------------------------------------- */

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long burnt;

static NAMED void burn(int rounds)
{
	for (int i = 0; i < rounds; i++)
		burnt += i;
}

static NAMED void update_account(void)
{
	pthread_mutex_lock(&shared);
	pause_ms(20);
	pthread_mutex_unlock(&shared);
}

static void *keep_accounts(void *unused)
{
	for (int i = 0; i < 8; i++)
		update_account();
	return NULL;
}

static void in_threads(void *(*body)(void *), int count)
{
	pthread_t threads[16];

	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, body, NULL))
			die("pthread_create");
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void contend(int threads)
{
	in_threads(keep_accounts, threads ?: 4);
}

static void flush_translations(int unused)
{
	in_threads(map_and_unmap, 2);
}

static void *short_thread(void *unused)
{
	pause_ms(20);
	return NULL;
}

static void make_threads(int count)
{
	for (int i = 0; i < (count ?: 10); i++)
		in_threads(short_thread, 3);
}

static void spin(int ms)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		burn(10000);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < (ms ?: 1000));
}

/* Two processes compete for one file lock. */
static void lock_files(int unused)
{
	pid_t child = fork();

	for (int i = 0; i < 5; i++) {
		int fd = open("/tmp/locked", O_RDWR | O_CREAT, 0600);
		struct flock region = {.l_type = F_WRLCK, .l_len = 100};

		if (fcntl(fd, F_SETLKW, &region) || flock(fd, LOCK_EX))
			die("lock");
		pause_ms(60);
		close(fd);
		pause_ms(5);
	}
	if (!child)
		exit(0);
	wait(NULL);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static NAMED int open_configuration(void)
{
	return open("/proc/version", O_RDONLY);
}

static void leak_files(int count)
{
	for (int i = 0; i < (count ?: 40); i++) {
		if (open_configuration() < 0)
			die("open");
		close(open("/proc/uptime", O_RDONLY));
		pause_ms(10);
	}
}

static void sync_files(int count)
{
	int fd = open("/mnt/disk/journal", O_RDWR | O_CREAT | O_APPEND, 0600);
	char record[3000] = "record";

	if (fd < 0)
		die("/mnt/disk/journal");
	for (int i = 0; i < (count ?: 20); i++) {
		if (write(fd, record, sizeof(record)) < 0 || fsync(fd))
			die("fsync");
		pause_ms(10);
	}
	close(fd);
}

/* ---- rights ------------------------------------------------------------------------------------------------------ */

static void overstep(int unused)
{
	close(open("/tmp/secret", O_RDWR | O_CREAT, 0600));
	if (setgid(1000) || setuid(1000))
		die("setuid");
	if (open("/tmp/secret", O_RDONLY) >= 0 || !kill(1, SIGTERM) || !unlink("/tmp/secret") ||
	    !setpriority(0, 0, -10) || !sethostname("x", 1))
		die("allowed");
	pause_ms(100);
}

static void change_priority(int unused)
{
	struct sched_param real_time = {.sched_priority = 10}, other = {0};

	sched_setscheduler(0, SCHED_FIFO, &real_time);
	pause_ms(50);
	sched_setscheduler(0, SCHED_OTHER, &other);
	setpriority(0, 0, 7);
	pause_ms(50);
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static int *volatile nothing = (int *)16;

static NAMED int read_nothing(void)
{
	return *nothing;
}

static void crash(int unused)
{
	pid_t child = fork();

	if (!child)
		exit(read_nothing());
	waitpid(child, NULL, 0);
}

static void on_signal(int number)
{
}

static void signal_each_other(int count)
{
	pid_t child;

	signal(SIGUSR1, on_signal);
	child = fork();
	if (!child)
		for (;;)
			pause();
	for (int i = 0; i < (count ?: 10); i++) {
		pause_ms(20);
		kill(child, SIGUSR1);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* ---- network ----------------------------------------------------------------------------------------------------- */

static void look_up(int unused)
{
	static const char *const names[] = {"localhost", "127.0.0.1", "no-such-host.invalid"};
	struct addrinfo *found;

	for (int i = 0; i < 3; i++) {
		int error = getaddrinfo(names[i], "80", NULL, &found);

		printf("%s: %s\n", names[i], error ? gai_strerror(error) : "found");
	}
}

static int tcp_socket(int port, int backlog)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!backlog)
		return connect(fd, (void *)&address, sizeof(address)) ? -1 : fd;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (void *)&address, sizeof(address)) || listen(fd, backlog))
		die("listen");
	return fd;
}

static void serve(int listener, int connections)
{
	char buffer[8192];

	while (connections-- > 0) {
		int fd = accept(listener, NULL, NULL);

		while (read(fd, buffer, sizeof(buffer)) > 0)
			;
		if (write(fd, "done", 4) < 0)
			die("write");
		close(fd);
	}
}

/* A server and a client that opens that many connections to port 5001 and transfers 200 kB over each. */
static void use_tcp(int connections)
{
	int listener = tcp_socket(5001, 8);
	static char data[20000];
	pid_t server;

	connections = connections ?: 5;
	server = fork();
	if (!server) {
		serve(listener, connections);
		exit(0);
	}
	close(listener);
	while (connections-- > 0) {
		int fd = tcp_socket(5001, 0);

		for (int i = 0; i < 10; i++) {
			if (write(fd, data, sizeof(data)) < 0)
				die("write");
			pause_ms(5);
		}
		shutdown(fd, SHUT_WR);
		if (read(fd, data, sizeof(data)) != 4)
			die("read");
		close(fd);
	}
	waitpid(server, NULL, 0);
}

/* Open more connections than the queue holds, and accept none. */
static void overflow_listener(int unused)
{
	int listener = tcp_socket(5002, 1);

	for (int i = 0; i < 6; i++) {
		struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(5002)};
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

		address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		connect(fd, (void *)&address, sizeof(address));
	}
	pause_ms(1300);
	close(listener);
}

/* Nothing listens on port 5003. Nothing answers at 10.9.9.9, because the device for it drops all packets. */
static void connect_in_vain(int unused)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (tcp_socket(5003, 0) >= 0)
		die("connect");
	inet_pton(AF_INET, "10.9.9.9", &address.sin_addr);
	connect(fd, (void *)&address, sizeof(address));
	pause_ms(1400);
	close(fd);
}

static int connect_locally(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), result;

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	result = connect(fd, (void *)&address, sizeof(address));
	close(fd);
	return result;
}

static void use_local_socket(int unused)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/tmp/workload.socket"};
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	unlink(address.sun_path);
	if (bind(listener, (void *)&address, sizeof(address)) || listen(listener, 4))
		die(address.sun_path);
	if (connect_locally(address.sun_path) || !connect_locally("/tmp/no-such.socket"))
		die("connect");
	close(listener);
}

static void use_udp(int count)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(5004)};
	int receiver = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
	char data[500] = "datagram";

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(receiver, (void *)&address, sizeof(address)))
		die("bind");
	for (int i = 0; i < (count ?: 30); i++) {
		if (sendto(sender, data, sizeof(data), 0, (void *)&address, sizeof(address)) < 0)
			die("sendto");
		if (recv(receiver, data, sizeof(data), 0) < 0)
			die("recv");
		pause_ms(10);
	}
	close(receiver);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(int argument);
} workloads[] = {
	{"leak-memory", leak_memory},
	{"eat-memory", eat_memory},
	{"flush-translations", flush_translations},
	{"contend", contend},
	{"threads", make_threads},
	{"spin", spin},
	{"lock-files", lock_files},
	{"leak-files", leak_files},
	{"sync-files", sync_files},
	{"overstep", overstep},
	{"change-priority", change_priority},
	{"crash", crash},
	{"signals", signal_each_other},
	{"look-up", look_up},
	{"tcp", use_tcp},
	{"overflow-listener", overflow_listener},
	{"connect-in-vain", connect_in_vain},
	{"udp", use_udp},
	{"local-socket", use_local_socket},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(workloads[i].name, argv[1])) {
			workloads[i].run(argc > 2 ? atoi(argv[2]) : 0);
			return 0;
		}
	fprintf(stderr, "usage: workload NAME [NUMBER]\n");
	return 2;
}
