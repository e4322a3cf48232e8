// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel modules that are loaded or unloaded while the script runs.
 *
 * The kernel's notifier reports a coming module when its code is relocated and can be patched, but before its init
 * function runs, so probes miss nothing (kernel/module/main.c, prepare_coming_module()). /sys does not show the module
 * yet, so each section is found by a symbol in it, whose offset the translator has noted. The notifier reports a going
 * module, or one whose init failed, when its code no longer runs. In between, it reports that the init function has
 * ended and that the initialization code is about to be freed. All are reported in the task that loads or unloads
 * the module, which may sleep; only the notifier chain is locked, for reading.
 *
 * All families are then asked to rearm; probe_arrives(), address_leaves() and kprobe_has_gone() tell them what has
 * changed. Our two notifiers run before and after the kernel's own. Tracepoints are usable from the end of the kernel's
 * processing of a coming module to the start of that of a going one. Kprobes are unregistered after the kernel has
 * marked them as gone, because it no longer touches these. If the kernel finds a kprobe there that was just
 * unregistered and whose jump is not undone yet, it drops it from its tables, and no probe can be placed there again
 * (kernel/kprobes.c, kill_optimized_kprobe()).
 */
#include <linux/elf.h>
#include <linux/kobject.h>
#include <linux/notifier.h>

#include "runtime/abi/protocol.h"
#include "runtime/compat/compat.h"
#include "runtime/core/arming.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/target.h"
#include "runtime/core/transport.h"

/* Protected by the arming lock. */
static const struct module *coming_module, *going_module, *gone_module, *initialized_module;
static unsigned int failed_arrivals;

/* ---- modules that the script uses -------------------------------------------------------------------------------- */

const char *symbol_in_module(const struct stp_probe *probe, size_t *length)
{
	const char *colon = probe->flags & STP_PROBE_BY_SYMBOL ? strchr(probe->symbol, ':') : NULL;

	*length = colon ? colon - probe->symbol : 0;
	return colon ? probe->symbol : NULL;
}

static bool symbol_is_in(const struct stp_probe *probe, const char *module)
{
	size_t length;
	const char *name = symbol_in_module(probe, &length);

	return name && !strncmp(name, module, length) && !module[length];
}

static bool target_is_in(unsigned int target, const char *module)
{
	return stp_script.targets[target].kind == STP_TARGET_MODULE && !strcmp(stp_script.targets[target].name, module);
}

static bool is_init_section(const struct stp_target *target)
{
	return target->kind == STP_TARGET_MODULE && !strncmp(target->section, ".init", strlen(".init"));
}

static bool script_names(const char *module)
{
	unsigned int i;

	for (i = 1; i < stp_script.target_count; i++)
		if (target_is_in(i, module))
			return true;
	for (i = 0; i < stp_script.probe_count; i++)
		if (symbol_is_in(&stp_script.probes[i], module))
			return true;
	return false;
}

static bool script_names_any(void)
{
	unsigned int i;
	size_t length;

	for (i = 0; i < stp_script.probe_count; i++)
		if (symbol_in_module(&stp_script.probes[i], &length))
			return true;
	for (i = 1; i < stp_script.target_count; i++)
		if (stp_script.targets[i].kind == STP_TARGET_MODULE)
			return true;
	return false;
}

/* Find a loaded module. It cannot be freed until the caller puts *object. */
static struct module *find_loaded(const char *name, size_t length, struct kobject **object)
{
	char text[MODULE_NAME_LEN];

	if (length >= sizeof(text))
		return NULL;
	memcpy(text, name, length);
	text[length] = '\0';
	*object = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, text);
	return *object ? container_of(*object, struct module_kobject, kobj)->mod : NULL;
}

static bool is_loaded(const char *name, size_t length)
{
	struct kobject *object = NULL;
	struct module *module = find_loaded(name, length, &object);
	bool loaded = module && module->state != MODULE_STATE_GOING;

	kobject_put(object);
	return loaded;
}

/* ---- checking the build ------------------------------------------------------------------------------------------ */

/* Search the read-only data for the note of the build-id, whose address only /sys would show. */
static bool has_build_id(const struct module *module, const char *hex)
{
	struct {
		Elf64_Nhdr header;
		char owner[4];
		u8 id[64];
	} note = {.header = {.n_namesz = 4, .n_descsz = strlen(hex) / 2, .n_type = 3 /* NT_GNU_BUILD_ID */},
		  .owner = "GNU"};
	size_t size = offsetof(typeof(note), id) + note.header.n_descsz, at, end;
	const char *data = compat_module_read_only(module, &end);

	if (note.header.n_descsz > sizeof(note.id) || hex2bin(note.id, hex, note.header.n_descsz))
		return false;
	for (at = 0; at + size <= end; at += 4)
		if (!memcmp(data + at, &note, size))
			return true;
	return false;
}

static bool is_expected(const struct module *module, const struct stp_target *target)
{
	if (!*target->build_id || has_build_id(module, target->build_id))
		return true;
	transport_message(STP_RECORD_WARNING, false,
			  "the module %s that was loaded is another build than the one that the script was made for "
			  "(build-id %s): its probes are not armed",
			  target->name, target->build_id);
	return false;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* Find a symbol. While the module is coming, all symbols have their addresses. */
static unsigned long find_symbol(const struct module *module, const char *name)
{
	const struct mod_kallsyms *symbols = rcu_dereference_raw(module->kallsyms);
	unsigned int i;

	for (i = 0; symbols && i < symbols->num_symtab; i++) {
		const Elf_Sym *symbol = &symbols->symtab[i];

		if (symbol->st_shndx != SHN_UNDEF && !strcmp(symbols->strtab + symbol->st_name, name))
			return symbol->st_value;
	}
	return 0;
}

unsigned long module_symbol_address(const struct stp_probe *probe)
{
	struct kobject *object = NULL;
	unsigned long address = 0;
	const struct module *module;
	size_t length;
	const char *name = symbol_in_module(probe, &length);

	if (coming_module)
		return find_symbol(coming_module, name + length + 1);
	module = find_loaded(name, length, &object);
	rcu_read_lock(); /* the symbol table is replaced when init ends */
	if (module && module->state != MODULE_STATE_GOING)
		address = find_symbol(module, name + length + 1);
	if (address && within_module_init(address, module))
		address = 0; /* it is about to be freed */
	rcu_read_unlock();
	kobject_put(object);
	return address;
}

bool module_text_ends_after(unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long offset, size;
	const char *numbers;
	int fault = 0;

	sprint_symbol(text, address);
	numbers = strrchr(text, '+');
	if (!numbers || sscanf(numbers, "+0x%lx/0x%lx", &offset, &size) != 2)
		return false;
	stp_load(address - offset + size, 1, &fault);
	return fault;
}

/* Find the sections of a coming module. Return false if it is the wrong build. */
static bool locate_sections(const struct module *module)
{
	bool checked_id = false;
	unsigned int i;

	for (i = 1; i < stp_script.target_count; i++) {
		const struct stp_target *target = &stp_script.targets[i];
		unsigned long address;

		if (!target_is_in(i, module->name))
			continue;
		if (!checked_id && !is_expected(module, target))
			return false;
		checked_id = true;
		address = target->anchor ? find_symbol(module, target->anchor) : 0;
		if (address)
			target_set_base(i, address - target->anchor_offset);
		else
			transport_message(STP_RECORD_WARNING, false,
					  "section %s of module %s was not found: probes in it are not armed",
					  target->section, target->name);
	}
	return true;
}

int target_set(const char *name, const char *section, unsigned long address)
{
	struct kobject *object = NULL;
	const struct module *module = find_loaded(name, strlen(name), &object);
	int error = -ENOENT;
	unsigned int i;

	arming_lock();
	for (i = 1; i < stp_script.target_count; i++) {
		if (!target_is_in(i, name) || strcmp(stp_script.targets[i].section, section))
			continue;
		error = 0;
		/* The initialization code of a loaded module has been freed, although /sys still shows its address. */
		if (is_init_section(&stp_script.targets[i]))
			continue;
		/*
		 * The module may have been unloaded, or reloaded, since staprun read the address. The notifier knows
		 * the new one.
		 */
		if (module && module->state != MODULE_STATE_GOING && !target_base(i) &&
		    is_expected(module, &stp_script.targets[i]))
			target_set_base(i, address);
	}
	arming_unlock();
	kobject_put(object);
	return error;
}

/* ---- loading and unloading --------------------------------------------------------------------------------------- */

bool probe_is_there(const struct stp_probe *probe)
{
	size_t length;
	const char *name = symbol_in_module(probe, &length);

	if (name)
		return is_loaded(name, length);
	return (probe->flags & (STP_PROBE_BY_SYMBOL | STP_PROBE_ABSOLUTE)) || !probe->target || probe_address(probe);
}

bool probe_arrives(const struct stp_probe *probe)
{
	if (!coming_module)
		return false;
	if (probe->flags & STP_PROBE_BY_SYMBOL)
		return symbol_is_in(probe, coming_module->name);
	return target_is_in(probe->target, coming_module->name) && probe_address(probe);
}

bool address_leaves(unsigned long address)
{
	return going_module && within_module(address, going_module);
}

bool kprobe_has_gone(unsigned long address)
{
	return (gone_module && within_module(address, gone_module)) ||
	       (initialized_module && within_module_init(address, initialized_module));
}

bool address_is_init(unsigned long address)
{
	return coming_module && within_module_init(address, coming_module);
}

void probe_arm_failed(const struct stp_probe *probe, int error)
{
	/* A task that loads a module must not wait for our reader. */
	bool may_wait = !coming_module;

	failed_arrivals++;
	if (error == -ERANGE)
		transport_message(
			STP_RECORD_WARNING, may_wait,
			"probe %s is not armed: this kernel may fault when it takes a probe in the last function of "
			"a module",
			probe->point);
	else
		transport_message(STP_RECORD_WARNING, may_wait, "probe %s (address 0x%lx) registration error [%d]",
				  probe->point, probe_address(probe), error);
}

static unsigned int count_arrivals(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		count += stp_script.probes[i].kind != STP_PROBE_CALLS && probe_arrives(&stp_script.probes[i]);
	return count;
}

static void module_arrived(const struct module *module)
{
	bool expected = locate_sections(module);

	if (!expected || !arming_is_done())
		return;
	coming_module = module;
	failed_arrivals = 0;
	probes_rearm();
	transport_message(STP_RECORD_NOTICE, false, "module %s was loaded: %u probes armed", module->name,
			  count_arrivals() - failed_arrivals);
	coming_module = NULL;
}

static void module_leaves(const struct module *module)
{
	if (!arming_is_done())
		return;
	going_module = module;
	probes_rearm();
	going_module = NULL;
}

static void module_left(const struct module *module)
{
	unsigned int i;

	if (arming_is_done()) {
		gone_module = module;
		probes_rearm();
		gone_module = NULL;
		transport_message(STP_RECORD_NOTICE, false, "module %s is unloaded", module->name);
	}
	for (i = 1; i < stp_script.target_count; i++)
		if (target_is_in(i, module->name))
			target_set_base(i, 0);
}

/* The initialization code is about to be freed. The kernel has marked the kprobes in it as gone. */
static void module_initialized(const struct module *module)
{
	unsigned int i;

	if (arming_is_done()) {
		initialized_module = module;
		probes_rearm();
		initialized_module = NULL;
	}
	for (i = 1; i < stp_script.target_count; i++)
		if (target_is_in(i, module->name) && is_init_section(&stp_script.targets[i]))
			target_set_base(i, 0);
}

static void with_lock(void (*act)(const struct module *module), const struct module *module)
{
	if (!script_names(module->name))
		return;
	arming_lock();
	act(module);
	arming_unlock();
}

static int before_the_kernel(struct notifier_block *block, unsigned long state, void *module)
{
	if (state == MODULE_STATE_GOING)
		with_lock(module_leaves, module);
	return NOTIFY_DONE;
}

static int after_the_kernel(struct notifier_block *block, unsigned long state, void *module)
{
	if (state == MODULE_STATE_COMING)
		with_lock(module_arrived, module);
	else if (state == MODULE_STATE_LIVE)
		with_lock(module_initialized, module);
	else if (state == MODULE_STATE_GOING)
		with_lock(module_left, module);
	return NOTIFY_DONE;
}

static struct notifier_block first_notifier = {.notifier_call = before_the_kernel, .priority = INT_MAX};
static struct notifier_block last_notifier = {.notifier_call = after_the_kernel, .priority = INT_MIN};
static bool watching_modules;

void modules_watch(void)
{
	watching_modules = script_names_any();
	if (!watching_modules)
		return;
	/* These cannot fail. In this order, nothing is armed that would not be disarmed. */
	register_module_notifier(&first_notifier);
	register_module_notifier(&last_notifier);
}

void modules_ignore(void)
{
	if (!watching_modules)
		return;
	unregister_module_notifier(&last_notifier);
	unregister_module_notifier(&first_notifier);
	watching_modules = false;
}
