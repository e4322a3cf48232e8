# stap, the translator; included by the top Makefile.am.

bin_PROGRAMS += stap
dist_bin_SCRIPTS += translator/stap-prep
noinst_LIBRARIES += libspile.a

# Where things are in the kernel; the fuzzer is built from these alone.
debuginfo_sources = \
	translator/debuginfo/btf.c \
	translator/debuginfo/btf_types.c \
	translator/debuginfo/bytes.c \
	translator/debuginfo/callees.c \
	translator/debuginfo/callers.c \
	translator/debuginfo/code.c \
	translator/debuginfo/debuginfo.h \
	translator/debuginfo/debuginfod.c \
	translator/debuginfo/digest.h \
	translator/debuginfo/digest_read.c \
	translator/debuginfo/digest_reduce.c \
	translator/debuginfo/digest_write.c \
	translator/debuginfo/expressions.c \
	translator/debuginfo/frames.c \
	translator/debuginfo/functions.c \
	translator/debuginfo/image.c \
	translator/debuginfo/index.c \
	translator/debuginfo/index_file.c \
	translator/debuginfo/internal.h \
	translator/debuginfo/kallsyms.c \
	translator/debuginfo/kernel.c \
	translator/debuginfo/line.c \
	translator/debuginfo/line_table.c \
	translator/debuginfo/location.c \
	translator/debuginfo/location_text.c \
	translator/debuginfo/module.c \
	translator/debuginfo/program.c \
	translator/debuginfo/reserved.c \
	translator/debuginfo/return_value.c \
	translator/debuginfo/scan.c \
	translator/debuginfo/source.c \
	translator/debuginfo/source_text.c \
	translator/debuginfo/statements.c \
	translator/debuginfo/tracepoints.c \
	translator/debuginfo/type_names.c \
	translator/debuginfo/types.c \
	translator/debuginfo/units.h \
	translator/debuginfo/variables.c

# Everything but main(), so that unit tests can link it.
libspile_a_SOURCES = \
	translator/translation.h \
	translator/build/build.c translator/build/build.h \
	translator/build/headers.c translator/build/headers.h \
	translator/build/kbuild.c translator/build/kbuild.h \
	translator/build/recipe.c translator/build/recipe.h \
	translator/build/runtime.c translator/build/runtime.h \
	translator/build/sign.c translator/build/sign.h \
	$(debuginfo_sources) \
	translator/emit/condition.c translator/emit/condition.h \
	translator/emit/embedded.c translator/emit/embedded.h \
	translator/emit/emit.h \
	translator/emit/expression.c \
	translator/emit/light.c translator/emit/light.h \
	translator/emit/module.c \
	translator/emit/stable.c translator/emit/stable.h \
	translator/emit/statement.c \
	translator/emit/writer.c translator/emit/writer.h \
	translator/lang/ast.c translator/lang/ast.h \
	translator/lang/at_operators.h \
	translator/lang/lang.h \
	translator/lang/lexer.c translator/lang/lexer.h \
	translator/lang/operators.h \
	translator/lang/parse_expression.c \
	translator/lang/parse_print.c \
	translator/lang/parse_probe.c \
	translator/lang/parse_statement.c \
	translator/lang/parser.c translator/lang/parser.h \
	translator/lang/preprocessor.c translator/lang/preprocessor.h \
	translator/lang/printer.c \
	translator/dump.c translator/dump.h \
	translator/kernel_choice.c translator/kernel_choice.h \
	translator/known.c translator/known.h \
	translator/list.c translator/list.h \
	translator/list_lines.c \
	translator/options.c translator/options.h \
	translator/sources.c translator/sources.h \
	translator/stopwatch.c translator/stopwatch.h \
	translator/rc.c translator/rc.h \
	translator/probes/callee.c \
	translator/probes/function.c \
	translator/probes/kprobe.c \
	translator/probes/netfilter.c \
	translator/probes/perf.c \
	translator/probes/places.h \
	translator/probes/pretty.c \
	translator/probes/procfs.c \
	translator/probes/provider.h \
	translator/probes/registry.c \
	translator/probes/session.c \
	translator/probes/statement.c \
	translator/probes/timer.c \
	translator/probes/tracepoint.c \
	translator/probes/type_modules.c \
	translator/probes/type_operators.c \
	translator/probes/variables.c \
	translator/probes/watchpoint.c \
	translator/run/run.c translator/run/run.h \
	translator/sema/analyze.c \
	translator/sema/bind.c \
	translator/sema/builder.c translator/sema/builder.h \
	translator/sema/check.c \
	translator/sema/context.c translator/sema/context.h \
	translator/sema/derive.c \
	translator/sema/embedded.c translator/sema/embedded.h \
	translator/sema/globals.c \
	translator/sema/locks.c \
	translator/sema/lower.c \
	translator/sema/missing.c translator/sema/missing.h \
	translator/sema/optimize.c \
	translator/sema/pointers.c translator/sema/pointers.h \
	translator/sema/privilege.c \
	translator/sema/regex.c translator/sema/regex.h \
	translator/sema/regex_tables.c \
	translator/sema/sema.h \
	translator/sema/types.c \
	translator/util/diagnostic.c translator/util/diagnostic.h
libspile_a_CPPFLAGS = $(AM_CPPFLAGS)
libspile_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(DEBUGINFO_CFLAGS) $(DEBUGINFOD_CFLAGS)

stap_SOURCES = translator/main.c
stap_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
stap_LDADD = libspile.a libspileutil.a $(GLIB_LIBS) $(DEBUGINFO_LIBS)

# The code shared by all three programs.
noinst_LIBRARIES += libspileutil.a
libspileutil_a_SOURCES = \
	translator/util/arena.c translator/util/arena.h \
	translator/util/cache.c translator/util/cache.h \
	translator/util/cleanup.h \
	translator/util/error.c translator/util/error.h \
	translator/util/files.c translator/util/files.h \
	translator/util/i18n.c translator/util/i18n.h \
	translator/util/paths.c translator/util/paths.h \
	translator/util/process.c translator/util/process.h \
	translator/util/progress.c translator/util/progress.h
libspileutil_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)

# In the order in which it is read; the runtime is source, compiled for each kernel.
tapsetdir = $(pkgdatadir)/tapset
dist_tapset_DATA = \
	tapset/ansi.stp \
	tapset/argv.stp \
	tapset/clock.stp \
	tapset/context.stp \
	tapset/errno.stp \
	tapset/guru.stp \
	tapset/indent.stp \
	tapset/ioblock.stp \
	tapset/irq.stp \
	tapset/inet.stp \
	tapset/input.stp \
	tapset/json.stp \
	tapset/json.stpm \
	tapset/kernel_memory.stp \
	tapset/load.stp \
	tapset/namespace.stp \
	tapset/signal.stp \
	tapset/memory_events.stp \
	tapset/process_memory.stp \
	tapset/random.stp \
	tapset/signal_events.stp \
	tapset/socket.stp \
	tapset/stopwatch.stp \
	tapset/tcp.stp \
	tapset/text.stp \
	tapset/user_memory.stp \
	tapset/macros.stpm \
	tapset/netfilter.stp \
	tapset/path.stp \
	tapset/perf.stp \
	tapset/procfs.stp \
	tapset/regex.stp \
	tapset/registers.stp \
	tapset/scheduler.stp \
	tapset/session.stp \
	tapset/speculation.stp \
	tapset/stack.stp \
	tapset/strings.stp \
	tapset/task.stp

runtimedir = $(pkgdatadir)/runtime
dist_runtime_DATA = \
	runtime/condition.c runtime/context.c \
	runtime/function.c \
	runtime/globals.c \
	runtime/internal.h \
	runtime/kprobe.c \
	runtime/kretprobe.c \
	runtime/line_table.h \
	runtime/lock.c \
	runtime/map.c \
	runtime/module.c \
	runtime/netfilter.c \
	runtime/path.c \
	runtime/perf.c \
	runtime/print.c \
	runtime/procfs.c \
	runtime/program.c \
	runtime/regex.c \
	runtime/regex_match.h \
	runtime/registers.c \
	runtime/runtime.c \
	runtime/protocol.h \
	runtime/script.h \
	runtime/service.c \
	runtime/session.c \
	runtime/stack.c \
	runtime/statistic.c \
	runtime/string.c \
	runtime/target.c \
	runtime/task.c \
	runtime/timer.c \
	runtime/tracepoint.c \
	runtime/transport.c \
	runtime/user_memory.c
compatdir = $(pkgdatadir)/runtime/compat
dist_compat_DATA = runtime/compat/compat.h
