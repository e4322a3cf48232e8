// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records to user space through relayfs.
 *
 * One relay channel, a buffer per CPU. A record is written with interrupts off into the buffer of the CPU it is made
 * on: reserve, take the next number of the session's single count, copy, and only then move the buffer's write offset,
 * so that a reader on another CPU never sees half a record (relay_reserve() moves the offset first, which is why it is
 * not used; relay_write() copies first as well).
 *
 * If the writer interrupted another writer on this CPU (an NMI, or a probe inside relay's own code), the record is put
 * aside in a small per-CPU queue that irq_work empties as soon as interrupts are possible.
 *
 * A full buffer loses the record, except in begin, end and error probes: those wait for the reader as long as it
 * lives. They run in a thread of the reader, which a SIGKILL must be able to end.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/relay.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>

#include "internal.h"

enum {
	SUBBUFFER_SIZE = 128 * 1024,
	SUBBUFFER_COUNT = 8, /* 1 MiB per CPU, as users of the language know it */
	ASIDE_SIZE = 2 * (STP_RECORD_LIMIT + sizeof(struct stp_record)),
	WAIT_MILLISECONDS = 5,
};

struct cpu_transport {
	int writing;
	unsigned int aside_used;
	char *aside; /* records put aside, one after the other */
	struct irq_work work;
};

static struct rchan *channel;
static struct cpu_transport __percpu *transports;
static atomic64_t sequence;
static atomic64_t lost;
static struct file_operations trace_operations;
static bool reader_gone;

static struct dentry *create_trace_file(const char *name, struct dentry *parent, umode_t mode, struct rchan_buf *buf,
					int *is_global)
{
	return debugfs_create_file(name, mode, parent, buf, &trace_operations);
}

static int remove_trace_file(struct dentry *dentry)
{
	debugfs_remove(dentry);
	return 0;
}

static int start_subbuffer(struct rchan_buf *buf, void *subbuf, void *previous, size_t previous_padding)
{
	return !relay_buf_full(buf);
}

static const struct rchan_callbacks callbacks = {
	.subbuf_start = start_subbuffer,
	.create_buf_file = create_trace_file,
	.remove_buf_file = remove_trace_file,
};

u64 transport_lost(void)
{
	return atomic64_read(&lost);
}

/* Relay has a buffer for each processor that is or was online. */
size_t transport_memory(void)
{
	size_t size = num_possible_cpus() * ASIDE_SIZE;
	int cpu;

	for_each_possible_cpu(cpu) if (*per_cpu_ptr(channel->buf, cpu)) size += channel->alloc_size;
	return size;
}

void transport_reader_gone(void)
{
	WRITE_ONCE(reader_gone, true);
}

/* Interrupts off. False: no room. */
static bool write_record(struct stp_record *header)
{
	struct rchan_buf *buf = *this_cpu_ptr(channel->buf);
	size_t size = sizeof(*header) + header->length;

	if (unlikely(buf->offset + size > channel->subbuf_size) && !relay_switch_subbuf(buf, size))
		return false;
	header->sequence = atomic64_inc_return(&sequence) - 1;
	memcpy(buf->data + buf->offset, header, size);
	smp_wmb(); /* the reader sees the offset only after the bytes */
	buf->offset += size;
	return true;
}

/*
 * Interrupts off, or NMI: this CPU's transport is in use below us. An NMI may come at any point, so the room is taken
 * in one step before it is filled; what reads it (write_aside()) runs on this CPU as well, so never in between.
 */
static bool put_aside(struct cpu_transport *cpu, const struct stp_record *header)
{
	size_t size = sizeof(*header) + header->length;
	unsigned int room = ALIGN(size, sizeof(u64));
	unsigned int at = READ_ONCE(cpu->aside_used);

	do {
		if (at + room > ASIDE_SIZE)
			return false;
	} while (!try_cmpxchg(&cpu->aside_used, &at, at + room));
	memcpy(cpu->aside + at, header, size);
	((struct stp_record *)(cpu->aside + at))->writer |= STP_WRITER_ASIDE;
	irq_work_queue(&cpu->work);
	return true;
}

/* irq_work: hardirq context, or a thread on PREEMPT_RT. */
static void write_aside(struct irq_work *work)
{
	struct cpu_transport *cpu = container_of(work, struct cpu_transport, work);
	unsigned int at = 0, end;
	unsigned long flags;

	local_irq_save(flags);
	cpu->writing++;
	barrier();
	/* An NMI may add while this runs: the queue is emptied only if nothing has come since the last look. */
	do {
		while (at < (end = READ_ONCE(cpu->aside_used))) {
			struct stp_record *header = (struct stp_record *)(cpu->aside + at);

			if (!write_record(header))
				atomic64_inc(&lost);
			at += ALIGN(sizeof(*header) + header->length, sizeof(u64));
		}
	} while (!try_cmpxchg(&cpu->aside_used, &end, 0));
	barrier();
	cpu->writing--;
	local_irq_restore(flags);
	session_wake();
}

static bool try_record(struct stp_record *header)
{
	struct cpu_transport *cpu;
	unsigned long flags;
	bool done;

	local_irq_save(flags);
	cpu = this_cpu_ptr(transports);
	if (unlikely(cpu->writing)) {
		done = put_aside(cpu, header);
	} else {
		cpu->writing++;
		barrier();
		done = write_record(header);
		barrier();
		cpu->writing--;
	}
	local_irq_restore(flags);
	return done;
}

void transport_count_lost(void)
{
	atomic64_inc(&lost);
}

bool transport_write(struct stp_record *header, bool may_wait)
{
	bool done;

	while (!(done = try_record(header))) {
		if (!may_wait || READ_ONCE(reader_gone) || fatal_signal_pending(current)) {
			transport_count_lost();
			break;
		}
		session_wake();
		msleep(WAIT_MILLISECONDS);
	}
	session_wake();
	return done;
}

void transport_message(enum stp_record_type type, bool may_wait, const char *format, ...)
{
	struct {
		struct stp_record header;
		char text[2 * STP_ERROR_SIZE + 256];
	} message = {.header = {.magic = STP_RECORD_MAGIC, .type = type}};
	va_list args;

	va_start(args, format);
	message.header.length = vscnprintf(message.text, sizeof(message.text), format, args);
	va_end(args);
	transport_write(&message.header, may_wait);
}

int transport_create(struct dentry *folder)
{
	size_t subbuffer = SUBBUFFER_SIZE;
	int cpu;

	if (stp_script.buffer_bytes)
		subbuffer = max_t(size_t, stp_script.buffer_bytes / SUBBUFFER_COUNT, 2 * STP_RECORD_LIMIT);
	transports = checked(alloc_percpu(struct cpu_transport));
	if (!transports)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		struct cpu_transport *t = per_cpu_ptr(transports, cpu);

		init_irq_work(&t->work, write_aside);
		t->aside = checked(kvmalloc_node(ASIDE_SIZE, GFP_KERNEL, cpu_to_node(cpu)));
		if (!t->aside)
			return -ENOMEM;
	}
	/* relay's own operations, but an open file keeps this module loaded. */
	trace_operations = relay_file_operations;
	trace_operations.owner = THIS_MODULE;
	channel = checked(relay_open("trace", folder, PAGE_ALIGN(subbuffer), SUBBUFFER_COUNT, &callbacks, NULL));
	return channel ? 0 : -ENOMEM;
}

void transport_destroy(void)
{
	int cpu;

	if (transports) {
		for_each_possible_cpu(cpu) irq_work_sync(&per_cpu_ptr(transports, cpu)->work);
	}
	if (channel)
		relay_close(channel);
	channel = NULL;
	if (!transports)
		return;
	for_each_possible_cpu(cpu) kvfree(per_cpu_ptr(transports, cpu)->aside);
	free_percpu(transports);
	transports = NULL;
}
