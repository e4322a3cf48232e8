// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file "monitor": shows a running script to observers, and accepts commands that switch probes and reset globals
 * (protocol.h). It can be open at the same time as the control file, and does not contain the script's output.
 *
 * Globals are read like in a handler, each under its lock for a short time, so handlers need not stop. Globals to which
 * handlers only add ("<<<" without a reader) are read without a lock. Begin and end probes take no locks, so globals
 * are read only while none of these runs.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "runtime/abi/protocol.h"
#include "runtime/control/control.h"
#include "runtime/control/monitor.h"
#include "runtime/core/condition.h"
#include "runtime/core/internal.h"
#include "runtime/core/lock.h"
#include "runtime/core/overload.h"
#include "runtime/data/map.h"
#include "runtime/data/statistic.h"

enum { MONITOR_ELEMENTS = 32 }; /* of an array, because handlers may wait for its lock */

/* ---- values, as JSON --------------------------------------------------------------------------------------------- */

static void show_string(struct seq_file *out, const char *text)
{
	seq_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			seq_printf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			seq_printf(out, "\\u%04x", *text);
		else
			seq_putc(out, *text);
	}
	seq_putc(out, '"');
}

static void show_statistic(struct seq_file *out, const struct stp_global *global, const void *statistic)
{
	struct stp_statistic_values values;

	statistic_read(global, statistic, &values);
	seq_printf(out, "{\"count\":%lld", values.count);
	if (values.count)
		seq_printf(out, ",\"sum\":%lld,\"min\":%lld,\"max\":%lld,\"avg\":%lld", values.sum, values.min,
			   values.max, stp_average(NULL, &values));
	seq_putc(out, '}');
}

static void show_value(struct seq_file *out, const struct stp_global *global, const void *value)
{
	switch (global->kind) {
	case STP_GLOBAL_LONG:
	case STP_GLOBAL_MAP_LONG:
		seq_printf(out, "%lld", READ_ONCE(*(const s64 *)value));
		break;
	case STP_GLOBAL_STRING:
	case STP_GLOBAL_MAP_STRING:
		show_string(out, value);
		break;
	default:
		show_statistic(out, global, value);
	}
}

static void show_element(struct seq_file *out, const struct stp_global *global, const union stp_value *keys,
			 const void *value)
{
	unsigned int i;

	seq_puts(out, "[[");
	for (i = 0; i < global->key_count; i++) {
		if (i)
			seq_putc(out, ',');
		if (global->key_strings & (1u << i))
			show_string(out, keys[i].string);
		else
			seq_printf(out, "%lld", keys[i].number);
	}
	seq_puts(out, "],");
	show_value(out, global, value);
	seq_putc(out, ']');
}

static void show_map(struct seq_file *out, const struct stp_global *global, const struct stp_map *map)
{
	union stp_value keys[STP_MAX_KEYS];
	struct map_cursor cursor = {};
	const void *value;
	unsigned int count;

	seq_printf(out, "%u [", map_count(map));
	/* seq_file shows an item again in a larger buffer if it overflows. */
	for (count = 0; count < MONITOR_ELEMENTS && !seq_has_overflowed(out); count++) {
		if (!map_look(map, &cursor, keys, &value))
			break;
		if (count)
			seq_putc(out, ',');
		show_element(out, global, keys, value);
	}
	seq_putc(out, ']');
}

static void show_contents(struct seq_file *out, const struct stp_global *global)
{
	if (global->key_count) {
		show_map(out, global, *global->storage);
		return;
	}
	seq_puts(out, "- ");
	show_value(out, global, global->kind == STP_GLOBAL_LONG ? (void *)global->storage : *global->storage);
}

/* @p is_locked says that no begin or end probe runs. */
static void show_global(struct seq_file *out, unsigned int index, bool is_locked)
{
	const struct stp_global *global = &stp_script.globals[index];
	bool is_alone = global->only_fed || global->kind == STP_GLOBAL_LONG;
	unsigned long flags = 0;

	seq_printf(out, "global %s ", global->name);
	if (!is_locked || (!is_alone && !lock_look(index, &flags))) {
		seq_puts(out, "- null\n");
		return;
	}
	show_contents(out, global);
	if (!is_alone)
		lock_look_end(index, flags);
	seq_putc(out, '\n');
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Return whether the probe is one of the script's, not an internal one. */
static bool is_shown(const struct stp_probe *probe)
{
	return probe_is_switchable(probe) || probe->kind == STP_PROBE_BEGIN || probe->kind == STP_PROBE_END ||
	       probe->kind == STP_PROBE_ERROR;
}

static void show_probe(struct seq_file *out, unsigned int index)
{
	const struct stp_probe *probe = &stp_script.probes[index];
	const char *state = probe_is_off(probe) ? "off" : probe_is_wanted(probe) ? "on" : "waits";
	struct probe_hits hits = context_probe_hits(index);

	if (is_shown(probe))
		seq_printf(out, "probe %u %s %lld %lld %lld %lld %s\n", index, state, hits.hits, hits.least,
			   hits.hits ? div64_s64(hits.total, hits.hits) : 0, hits.most, probe->point);
}

static void show_status(struct seq_file *out)
{
	char text[SESSION_STATUS_SIZE];

	session_status(text, sizeof(text));
	seq_puts(out, text);
}

/* Item 0 is the status, followed by the probes and the globals. */
static void *item_at(loff_t position)
{
	return position <= stp_script.probe_count + stp_script.global_count ? (void *)(unsigned long)(position + 1)
									    : NULL;
}

static void *monitor_begin(struct seq_file *out, loff_t *position)
{
	bool *is_locked = out->private;

	*is_locked = session_try_lock();
	return item_at(*position);
}

static void *monitor_next(struct seq_file *out, void *item, loff_t *position)
{
	return item_at(++*position);
}

static void monitor_end(struct seq_file *out, void *item)
{
	bool *is_locked = out->private;

	if (*is_locked)
		session_unlock();
	*is_locked = false;
}

static int monitor_show(struct seq_file *out, void *item)
{
	unsigned long number = (unsigned long)item - 1;

	if (!number)
		show_status(out);
	else if (number <= stp_script.probe_count)
		show_probe(out, number - 1);
	else
		show_global(out, number - 1 - stp_script.probe_count, *(bool *)out->private);
	return 0;
}

static const struct seq_operations monitor_items = {
	.start = monitor_begin,
	.next = monitor_next,
	.stop = monitor_end,
	.show = monitor_show,
};

static int monitor_open(struct inode *inode, struct file *file)
{
	return seq_open_private(file, &monitor_items, sizeof(bool));
}

/* Do not wait for begin and end probes: they may wait for this very process to read their output. */
static ssize_t monitor_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	char line[STP_COMMAND_LIMIT + 1];
	int error = session_read_line(line, from, size);

	if (error)
		return error;
	if (!session_try_lock())
		return -EBUSY;
	error = session_command(line);
	session_unlock();
	return error ?: size;
}

static const struct file_operations monitor_operations = {
	.owner = THIS_MODULE,
	.open = monitor_open,
	.release = seq_release_private,
	.read = seq_read,
	.write = monitor_write,
	.llseek = seq_lseek,
};

int monitor_create(struct dentry *directory)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file("monitor", 0600, directory, NULL, &monitor_operations));
}
