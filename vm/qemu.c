// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run QEMU as a child process.
 *
 * The trap in choosing an accelerator: some hosts offer /dev/kvm and then abort or stall. KVM is used only after a
 * kernel was seen to print something with it; the result is valid until the host reboots. Software emulation runs all
 * virtual CPUs in one thread: with thread=multi, arming kprobes under load hangs or crashes the guest. Disabling the
 * kernel's cipher tests saves half a second of an emulated boot. What differs by architecture is in machine.c.
 */
#include "vm/qemu.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "vm/machine.h"

enum { KVM_PROBE_MILLISECONDS = 5000, KILL_TRIES = 2000 };

/* Descriptors that QEMU inherits, with the numbers used on its command line. */
enum { PORT_FD = 3, INITRD_FD, MEMORY_FD, MONITOR_FD, FD_COUNT };

static const char tcg[] = "tcg,thread=single";
static const char kvm[] = "kvm";

/* The clock advances by 8 ns per instruction, independently of the host, and jumps to the next timer when idle. */
static const char virtual_clock[] = "shift=3,sleep=off";

/*
 * Arguments of the kernel on emulated CPUs.
 *
 * Raise its limits for hung CPUs. Work that takes real CPUs a second takes emulated ones, of which one runs at a time,
 * half a minute. An example is the optimizer of kprobes, which processes thousands without a pause and waits three
 * times for all CPUs for each (kernel/kprobes.c, kprobe_optimizer()).
 *
 * Leave out its defenses against speculation, which emulated CPUs do not do. Retpolines take a quarter of the time of
 * starting a program.
 *
 * Do not let it compare clocks. On a busy host, much time may pass between reading one and the other, and the guest's
 * kernel then logs that its TSC is broken.
 */
static const char emulated_words[] =
	"watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=120 mitigations=off tsc=nowatchdog ";

/* Return the path of the file that holds "BOOT_ID yes|no". */
static char *probe_file(void)
{
	return cache_place("kvm", NULL);
}

static char *boot_id(void)
{
	char *text = NULL;

	if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &text, NULL, NULL))
		return g_strdup("unknown");
	return g_strchomp(text);
}

/* Return the result of the probe on this boot of the host: "yes", "no", or NULL if not probed. */
static char *probe_result(void)
{
	g_autofree char *file = probe_file();
	g_autofree char *boot = boot_id();
	g_autofree char *text = NULL;

	if (!file || !g_file_get_contents(file, &text, NULL, NULL) || !g_str_has_prefix(text, boot))
		return NULL;
	return g_strdup(g_strstrip(text + strlen(boot)));
}

static const char *choose_accelerator(const struct kernel *kernel, const struct guest_options *options)
{
	const char *chosen = g_getenv("SPILE_ACCEL");
	g_autofree char *probed = NULL;

	if (options->virtual_time || kernel->architecture != architecture_of_host())
		return tcg;
	if (chosen && *chosen)
		return !strcmp(chosen, "kvm") ? kvm : tcg;
	probed = probe_result();
	return probed && !strcmp(probed, "yes") ? kvm : tcg;
}

static void add(GPtrArray *arguments, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void add(GPtrArray *arguments, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	g_ptr_array_add(arguments, g_strdup_vprintf(format, values));
	va_end(values);
}

static void add_option(GPtrArray *arguments, const char *option, const char *value)
{
	add(arguments, "%s", option);
	add(arguments, "%s", value);
}

/*
 * Add the agent's port: virtio if the kernel has it, otherwise a second serial port, which is slow.
 *
 * event_idx must be off. With it, each side stores an index in memory to request the next notification, and then checks
 * once more for data. Between this store and load there must be a barrier. But TCG with one thread for all CPUs omits
 * the guest's barriers, although the device runs in another thread. Occasionally both sides miss the other's update,
 * and the agent sleeps although data is waiting.
 */
static const char *add_port(GPtrArray *arguments, const struct kernel *kernel)
{
	g_autofree char *socket = g_strdup_printf("socket,id=port,fd=%d", PORT_FD);

	add_option(arguments, "-chardev", socket);
	if (!kernel->has_virtio_console) {
		add_option(arguments, "-serial", "chardev:port");
		return machine_of(kernel->architecture)->second_console;
	}
	add_option(arguments, "-device", "virtio-serial-pci,event_idx=off");
	add_option(arguments, "-device", "virtserialport,chardev=port,name=spile");
	return "vport0p1";
}

/* Add the guest's memory. QEMU maps that of a snapshot privately, copying pages as they change; see snapshot.c. */
static void add_memory(GPtrArray *arguments, const struct qemu_memory *memory)
{
	add(arguments, "-object");
	add(arguments, "memory-backend-file,id=memory,size=%" G_GUINT64_FORMAT ",mem-path=/proc/self/fd/%d,share=%s",
	    memory->size, MEMORY_FD, memory->restore ? "off" : "on");
	add_option(arguments, "-machine", "memory-backend=memory");
	add(arguments, "-chardev");
	add(arguments, "socket,id=monitor,fd=%d", MONITOR_FD);
	add_option(arguments, "-mon", "chardev=monitor,mode=control");
	if (memory->restore)
		add_option(arguments, "-incoming", "defer");
}

static GPtrArray *command_line(const struct kernel *kernel, const struct guest_options *options,
			       const struct qemu_memory *memory, const char *accelerator, const char *verbosity)
{
	static const char *const fixed[] = {"-nodefaults",
					    "-no-user-config",
					    "-no-reboot",
					    "-display",
					    "none",
					    "-nic",
					    "none",
					    "-chardev",
					    "stdio,id=console,signal=off",
					    "-serial",
					    "chardev:console"};
	GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
	const struct machine *machine = machine_of(kernel->architecture);
	const char *port, *emulated;

	add(arguments, "%s", machine->program);
	for (guint i = 0; i < MACHINE_MOST_WORDS && machine->words[i]; i++)
		add(arguments, "%s", machine->words[i]);
	for (guint i = 0; i < G_N_ELEMENTS(fixed); i++)
		add(arguments, "%s", fixed[i]);
	add_option(arguments, "-accel", accelerator);
	add_option(arguments, "-cpu", accelerator == tcg ? machine->emulated_processor : machine->real_processor);
	add_option(arguments, "-m", options->memory);
	add(arguments, "-smp");
	add(arguments, "%u", options->cpus);
	add_option(arguments, "-kernel", kernel->image);
	add(arguments, "-initrd");
	add(arguments, "/proc/self/fd/%d", INITRD_FD);
	if (options->virtual_time)
		add_option(arguments, "-icount", virtual_clock);
	port = add_port(arguments, kernel);
	if (memory)
		add_memory(arguments, memory);
	add(arguments, "-append");
	emulated = accelerator == tcg ? emulated_words : "";
	add(arguments, "console=%s panic=-1 %scryptomgr.notests %s%s spile.port=/dev/%s", machine->console,
	    machine->kernel_words, emulated, verbosity, port);
	g_ptr_array_add(arguments, NULL);
	return arguments;
}

/*
 * Place the descriptors (-1: none) at the numbers used on the command line, and execute QEMU. Called in the child. QEMU
 * must not outlive its parent.
 */
static void __attribute__((noreturn)) become_qemu(char **arguments, pid_t parent, int console, int fds[FD_COUNT])
{
	const int spare = 100; /* above the numbers that are about to be used */
	int nothing = open("/dev/null", O_RDONLY);
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	console = fcntl(console, F_DUPFD_CLOEXEC, spare);
	for (int number = PORT_FD; number < FD_COUNT; number++)
		fds[number] = fcntl(fds[number], F_DUPFD_CLOEXEC, spare);
	/* Close other inherited descriptors on exec. */
	close_range(PORT_FD, ~0U, CLOSE_RANGE_CLOEXEC);
	dup2(nothing, STDIN_FILENO);
	dup2(console, STDOUT_FILENO);
	dup2(console, STDERR_FILENO);
	for (int number = PORT_FD; number < FD_COUNT; number++) {
		if (fds[number] >= 0)
			dup2(fds[number], number);
	}
	execvp(arguments[0], arguments);
	_exit(127);
}

static struct error *start(char **arguments, int initrd, const struct qemu_memory *memory, struct qemu *qemu)
{
	int console[2], port[2], monitor[2];
	pid_t parent = getpid();

	if (pipe2(console, O_CLOEXEC) < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, port) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, monitor) < 0)
		return error_errno(_("cannot start QEMU"));
	qemu->pid = fork();
	if (qemu->pid == 0)
		become_qemu(arguments, parent, console[1],
			    (int[FD_COUNT]){[PORT_FD] = port[1],
					    [INITRD_FD] = initrd,
					    [MEMORY_FD] = memory ? memory->file : -1,
					    [MONITOR_FD] = monitor[1]});
	close(console[1]);
	close(port[1]);
	close(monitor[1]);
	qemu->console = console[0];
	qemu->port = port[0];
	qemu->monitor = monitor[0];
	if (qemu->pid < 0)
		return error_errno(_("cannot start QEMU"));
	fcntl(qemu->console, F_SETFL, O_NONBLOCK);
	fcntl(qemu->port, F_SETFL, O_NONBLOCK);
	fcntl(qemu->monitor, F_SETFL, O_NONBLOCK);
	return NULL;
}

struct error *qemu_start(const struct kernel *kernel, const struct guest_options *options,
			 const struct qemu_memory *memory, struct qemu *qemu)
{
	g_autoptr(GPtrArray) arguments =
		command_line(kernel, options, memory, choose_accelerator(kernel, options), "quiet");

	return start((char **)arguments->pdata, options->initrd, memory, qemu);
}

char *qemu_description(const struct kernel *kernel, const struct guest_options *options, uint64_t memory)
{
	const struct qemu_memory file = {.size = memory};
	g_autoptr(GPtrArray) arguments =
		command_line(kernel, options, &file, choose_accelerator(kernel, options), "quiet");

	return g_strjoinv(" ", (char **)arguments->pdata);
}

void qemu_end(struct qemu *qemu)
{
	if (qemu->pid > 0)
		kill(qemu->pid, SIGKILL);
	/* A process stuck in a broken /dev/kvm cannot be killed; do not wait for it forever. */
	for (int tries = 0; qemu->pid > 0 && tries < KILL_TRIES; tries++) {
		if (waitpid(qemu->pid, NULL, WNOHANG) == qemu->pid)
			break;
		g_usleep(1000);
	}
	close(qemu->console);
	close(qemu->port);
	close(qemu->monitor);
	*qemu = (struct qemu){.console = -1, .port = -1, .monitor = -1};
}

/* Return whether the kernel prints its first message in time. */
static bool boots_under_kvm(const struct kernel *kernel, const struct guest_options *options)
{
	const struct machine *machine = machine_of(kernel->architecture);
	g_autoptr(GPtrArray) arguments = command_line(kernel, options, NULL, kvm, machine->early_console);
	gint64 deadline = g_get_monotonic_time() / 1000 + KVM_PROBE_MILLISECONDS;
	g_autoptr(GString) said = g_string_new(NULL);
	struct qemu qemu = {.console = -1, .port = -1, .monitor = -1};
	struct error *error;
	bool works = false;

	error = start((char **)arguments->pdata, options->initrd, NULL, &qemu);
	while (!error && !works) {
		struct pollfd wait = {.fd = qemu.console, .events = POLLIN};
		gint64 left = deadline - g_get_monotonic_time() / 1000;
		char text[4096];
		ssize_t count;

		if (left <= 0 || poll(&wait, 1, left) <= 0)
			break;
		count = read(qemu.console, text, sizeof(text));
		if (count <= 0)
			break;
		g_string_append_len(said, text, count);
		works = strstr(said->str, "Linux version") != NULL;
	}
	error_free(error);
	qemu_end(&qemu);
	return works;
}

void qemu_probe_kvm(const struct kernel *kernel, const struct guest_options *options)
{
	g_autofree char *file = probe_file();
	g_autofree char *boot = boot_id();
	g_autofree char *known = probe_result();
	g_autofree char *text = NULL;
	bool works;

	if (g_getenv("SPILE_ACCEL") || known || !file || access("/dev/kvm", R_OK | W_OK) < 0 ||
	    kernel->architecture != architecture_of_host())
		return;
	works = boots_under_kvm(kernel, options);
	text = g_strdup_printf("%s %s\n", boot, works ? "yes" : "no");
	g_file_set_contents(file, text, -1, NULL);
}
