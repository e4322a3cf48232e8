// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dtrace -h and -G: files for programs that define static probes (USDT).
 *
 * The header has two macros for each probe. PROVIDER_PROBE(arguments) is a nop instruction and an ELF note, as the
 * macros of <sys/sdt.h> make them; PROVIDER_PROBE_ENABLED() tells whether anyone watches the probe. For that, a counter
 * of 16 bits is in the section .probes; whoever watches the probe increments it.
 *
 * The header defines the counters as weak symbols, so that a program works with the header alone. The object file of -G
 * defines them, too, for makefiles that link one.
 */
#include "translator/dtrace_probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* The generated macros have a counter for each probe. */
#define _SDT_HAS_SEMAPHORES
#include <sys/sdt.h>

#include "common/files.h"
#include "common/process.h"
#include "common/base/i18n.h"

/* Return a name in the form of a macro: capital letters, and "_" instead of "__". */
static char *macro_name(const char *name)
{
	g_auto(GStrv) words = g_strsplit(name, "__", -1);
	g_autofree char *joined = g_strjoinv("_", words);

	return g_ascii_strup(joined, -1);
}

static char *counter_name(const struct d_provider_declaration *provider, const struct d_probe_declaration *probe)
{
	return g_strdup_printf("%s_%s_semaphore", provider->name, probe->name);
}

/* Append "arg0, arg1" or, with another format, other text with the number of each argument. */
static void add_arguments(GString *out, const struct d_probe_declaration *probe, const char *format,
			  const char *separator)
{
	for (int i = 0; i < probe->parameters; i++) {
		g_auto(GStrv) parts = g_strsplit(format, "#", 2);

		g_string_append_printf(out, "%s%s%d%s", i ? separator : "", parts[0], i, parts[1]);
	}
}

/* Replace a string in quotes, which no name of a provider or probe contains. */
static void replace_string(GString *text, const char *string, const char *by)
{
	g_autofree char *quoted = g_strdup_printf("\"%s\"", string), *other = g_strdup_printf("\"%s\"", by);

	g_string_replace(text, quoted, other, 1);
}

/* Append the assembler text of a probe as string literals of C, one for each line. */
static void add_note(GString *out, const struct d_provider_declaration *provider,
		     const struct d_probe_declaration *probe)
{
	static const char mark[] = STAP_PROBE_ASM(_PROVIDER, _NAME, _ARGUMENTS);
	g_autofree char *counter = counter_name(provider, probe);
	/* The no-op depends on the machine for which the header is compiled. */
	g_autoptr(GString) text = g_string_new(strchr(mark, '\n') + 1), arguments = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	add_arguments(arguments, probe, "-8@%#", " ");
	g_string_replace(text, "_PROVIDER__NAME_semaphore", counter, 1);
	replace_string(text, "_PROVIDER", provider->name);
	replace_string(text, "_NAME", probe->name);
	replace_string(text, "_ARGUMENTS", arguments->str);
	lines = g_strsplit(text->str, "\n", -1);
	g_string_append(out, " \\\n\t\t\"990: \" _DTRACE_NOP");
	for (char **line = lines; *line; line++) {
		g_autofree char *escaped = g_strescape(*line, NULL);

		if (**line)
			g_string_append_printf(out, " \\\n\t\t\"%s\\n\"", escaped);
	}
}

static void add_probe(GString *out, const struct d_provider_declaration *provider,
		      const struct d_probe_declaration *probe)
{
	g_autofree char *prefix = macro_name(provider->name), *name = macro_name(probe->name);
	g_autofree char *counter = counter_name(provider, probe);

	g_string_append_printf(out,
			       "__attribute__((weak, visibility(\"hidden\"), section(\".probes\")))\n"
			       "unsigned short %s;\n"
			       "#define %s_%s_ENABLED() __builtin_expect(*(volatile unsigned short *)&%s, 0)\n"
			       "#define %s_%s(",
			       counter, prefix, name, counter, prefix, name);
	add_arguments(out, probe, "arg#", ", ");
	g_string_append(out, ") \\\n\t__asm__ __volatile__(");
	add_note(out, provider, probe);
	g_string_append(out, " \\\n\t\t: : ");
	add_arguments(out, probe, "\"nor\"((long)(arg#))", ", ");
	g_string_append(out, ")\n\n");
}

struct error *dtrace_write_header(const struct d_program *program, const char *path)
{
	g_autofree char *base = g_path_get_basename(path), *guard = g_ascii_strup(base, -1);
	g_autofree char *escaped = g_strescape(_SDT_LINE(_SDT_NOP_X86_64), NULL);
	g_autofree char *nop = g_strdup_printf("\"%s\"", escaped);
	g_autoptr(GString) out = g_string_new(NULL);

	g_strcanon(guard, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", '_');
	g_string_append_printf(out,
			       "/* Made by dtrace -h. */\n#ifndef _%s\n#define _%s\n\n"
			       "#ifndef _DTRACE_NOP\n#ifdef __x86_64__\n#define _DTRACE_NOP %s\n"
			       "#else\n#define _DTRACE_NOP \"nop\\n\"\n#endif\n#endif\n\n"
			       "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
			       guard, guard, nop);
	for_each_ptr(const struct d_provider_declaration *, provider, program->providers)
		for_each_ptr(const struct d_probe_declaration *, probe, provider->probes)
			add_probe(out, provider, probe);
	g_string_append(out, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
	return file_write(path, out->str, out->len);
}

struct error *dtrace_write_object(const struct d_program *program, const char *path)
{
	g_autofree char *directory = NULL, *source = NULL, *output = NULL;
	const char *argv[] = {getenv("CC") ?: "cc", "-c", "-fPIC", "-o", path, NULL, NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	struct error *error = directory_make_temporary(&directory);

	if (error)
		return error;
	for_each_ptr(const struct d_provider_declaration *, provider, program->providers)
		for_each_ptr(const struct d_probe_declaration *, probe, provider->probes) {
			g_autofree char *counter = counter_name(provider, probe);

			g_string_append_printf(out,
					       "__attribute__((visibility(\"hidden\"), section(\".probes\")))\n"
					       "unsigned short %s;\n",
					       counter);
		}
	source = g_build_filename(directory, "probes.c", NULL);
	error = file_write(source, out->str, out->len);
	argv[G_N_ELEMENTS(argv) - 2] = source;
	error = error ?: process_run(argv, NULL, &output);
	unlink(source);
	rmdir(directory);
	return error;
}
