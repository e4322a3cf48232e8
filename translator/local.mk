# stap, the translator; included by the top Makefile.am.

bin_PROGRAMS += stap
dist_bin_SCRIPTS += translator/stap-prep
noinst_LIBRARIES += libspile.a

# The fuzzer of debuginfo is built from abi_sources and debuginfo_sources alone.
abi_sources = \
	translator/abi/abi.c translator/abi/abi.h \
	translator/abi/abi_arm64.c translator/abi/abi_i386.c translator/abi/abi_x86_64.c \
	translator/abi/instructions_arm64.c translator/abi/instructions_x86_64.c \
	translator/abi/linking_arm64.c translator/abi/linking_x86_64.c \
	translator/abi/stack_x86_64.c \
	translator/abi/trace.c translator/abi/trace_arm64.c translator/abi/trace_x86_64.c
debuginfo_sources = \
	translator/debuginfo/debuginfo.h \
	translator/debuginfo/export.c \
	translator/debuginfo/queries.c \
	translator/debuginfo/tracepoints.c \
	translator/debuginfo/btf/btf.c \
	translator/debuginfo/btf/btf.h \
	translator/debuginfo/btf/types.c \
	translator/debuginfo/digest/digest.h \
	translator/debuginfo/digest/expressions.c \
	translator/debuginfo/digest/format.h \
	translator/debuginfo/digest/read.c \
	translator/debuginfo/digest/reduce.c \
	translator/debuginfo/digest/write.c \
	translator/debuginfo/dwarf/callees.c \
	translator/debuginfo/dwarf/code_places.c \
	translator/debuginfo/dwarf/dwarf.h \
	translator/debuginfo/dwarf/reader.c \
	translator/debuginfo/dwarf/statements.c \
	translator/debuginfo/dwarf/variables.c \
	translator/debuginfo/index/build.c \
	translator/debuginfo/index/file.c \
	translator/debuginfo/index/functions.c \
	translator/debuginfo/index/index.h \
	translator/debuginfo/index/mangled.c \
	translator/debuginfo/index/resolvers.c \
	translator/debuginfo/index/resolvers.h \
	translator/debuginfo/index/scan.c \
	translator/debuginfo/index/scan.h \
	translator/debuginfo/index/scopes.c \
	translator/debuginfo/index/units.h \
	translator/debuginfo/kernel/code.c \
	translator/debuginfo/kernel/code.h \
	translator/debuginfo/kernel/find.c \
	translator/debuginfo/kernel/image.c \
	translator/debuginfo/kernel/kallsyms.c \
	translator/debuginfo/kernel/kernel.h \
	translator/debuginfo/kernel/raw_image.c \
	translator/debuginfo/kernel/reserved.c \
	translator/debuginfo/lines/files.c \
	translator/debuginfo/lines/lines.h \
	translator/debuginfo/lines/source_text.c \
	translator/debuginfo/lines/table.c \
	translator/debuginfo/lines/write.c \
	translator/debuginfo/lines/write.h \
	translator/debuginfo/location/callers.c \
	translator/debuginfo/location/frames.c \
	translator/debuginfo/location/location.c \
	translator/debuginfo/location/location.h \
	translator/debuginfo/location/dwarf_machine.c \
	translator/debuginfo/location/dwarf_machine.h \
	translator/debuginfo/location/pieces.c \
	translator/debuginfo/location/prologue.c \
	translator/debuginfo/location/convention.c \
	translator/debuginfo/location/text.c \
	translator/debuginfo/location/values.c \
	translator/debuginfo/location/values.h \
	translator/debuginfo/object/addresses.c \
	translator/debuginfo/object/calls.c \
	translator/debuginfo/object/descriptions.c \
	translator/debuginfo/object/die.c \
	translator/debuginfo/object/dwarf.c \
	translator/debuginfo/object/dwarf.h \
	translator/debuginfo/object/imports.c \
	translator/debuginfo/object/mini.c \
	translator/debuginfo/object/mini.h \
	translator/debuginfo/object/object.c \
	translator/debuginfo/object/object.h \
	translator/debuginfo/object/packages.c \
	translator/debuginfo/object/packages.h \
	translator/debuginfo/object/parts.c \
	translator/debuginfo/object/restartable.c \
	translator/debuginfo/object/split.c \
	translator/debuginfo/object/split.h \
	translator/debuginfo/object/threads.c \
	translator/debuginfo/object/unit_files.c \
	translator/debuginfo/object/unit_files.h \
	translator/debuginfo/object/user_object.c \
	translator/debuginfo/object/user_object.h \
	translator/debuginfo/sources/debuginfod.c \
	translator/debuginfo/sources/files.c \
	translator/debuginfo/sources/objects.c \
	translator/debuginfo/sources/open.c \
	translator/debuginfo/sources/source.c \
	translator/debuginfo/sources/sources.h \
	translator/debuginfo/types/from_dwarf.c \
	translator/debuginfo/types/names.c \
	translator/debuginfo/types/types.h \
	translator/debuginfo/unwind/code.c \
	translator/debuginfo/unwind/frames.c \
	translator/debuginfo/unwind/frames.h \
	translator/debuginfo/unwind/lines.c \
	translator/debuginfo/unwind/names.c \
	translator/debuginfo/unwind/symbols.c \
	translator/debuginfo/unwind/table.c \
	translator/debuginfo/unwind/unwind.h \
	translator/debuginfo/user/exits.c \
	translator/debuginfo/user/libraries.c \
	translator/debuginfo/user/marks.c \
	translator/debuginfo/user/operands.c \
	translator/debuginfo/user/operands.h \
	translator/debuginfo/user/boundaries.c translator/debuginfo/user/plt.c

# Everything but main(), so that unit tests can link it.
libspile_a_SOURCES = \
	translator/meanings.c translator/translation.c translator/translation.h \
	translator/dtrace.c translator/dtrace.h translator/dtrace_libraries.c translator/dtrace_libraries.h \
	translator/dtrace_probes.c translator/dtrace_probes.h \
	translator/dlang/aggregations.c \
	translator/dlang/attributes.c \
	translator/dlang/attributes.h \
	translator/dlang/declarations.c \
	translator/dlang/derive.c \
	translator/dlang/dlang.h \
	translator/dlang/lexer.c \
	translator/dlang/lexer.h \
	translator/dlang/lower.c \
	translator/dlang/lower.h \
	translator/dlang/lower_expression.c \
	translator/dlang/order.c \
	translator/dlang/parse_expression.c \
	translator/dlang/parse_provider.c \
	translator/dlang/parse_type.c \
	translator/dlang/parser.c \
	translator/dlang/parser.h \
	translator/dlang/print.c \
	translator/dlang/print_value.c \
	translator/dlang/providers.c \
	translator/dlang/solaris_names.c \
	translator/dlang/solaris_names.h \
	translator/dlang/subroutines.c \
	translator/dlang/template.c \
	translator/dlang/tree.h \
	translator/dlang/types.c \
	translator/dlang/types.h \
	translator/dlang/variables.c \
	translator/dlang/memory.c \
	$(abi_sources) \
	translator/bundle/differences.c \
	translator/bundle/image.c \
	translator/bundle/parts.h \
	translator/bundle/read.c \
	translator/bundle/write.c \
	translator/build/build.c translator/build/build.h \
	translator/build/headers.c translator/build/headers.h \
	translator/build/kbuild.c translator/build/kbuild.h \
	translator/build/unsupported_parts.c translator/build/unsupported_parts.h \
	translator/build/recipe.c translator/build/recipe.h \
	translator/build/runtime.c translator/build/runtime.h \
	translator/build/sign.c translator/build/sign.h \
	translator/build/stack_usage.c translator/build/stack_usage.h \
	$(debuginfo_sources) \
	translator/frames/lines.c translator/frames/lines.h \
	translator/frames/lookup.c translator/frames/lookup.h \
	translator/frames/relay.c translator/frames/frames.h \
	translator/emit/condition.c translator/emit/condition.h \
	translator/emit/embedded.c translator/emit/embedded.h \
	translator/emit/emit.h \
	translator/emit/expression.c \
	translator/emit/counter_handlers.c translator/emit/counter_handlers.h \
	translator/emit/fault_retry.c translator/emit/fault_retry.h \
	translator/emit/functions.c \
	translator/emit/globals.c \
	translator/emit/module.c translator/emit/module.h \
	translator/emit/tables.c \
	translator/emit/call_cache.c translator/emit/call_cache.h \
	translator/emit/statement.c \
	translator/emit/writer.c translator/emit/writer.h \
	translator/lang/annotations.c translator/lang/annotations.h \
	translator/lang/ast.c translator/lang/ast.h \
	translator/lang/at_operators.h \
	translator/lang/lang.h \
	translator/lang/definitions.c \
	translator/lang/diagnostic.c translator/lang/diagnostic.h \
	translator/lang/foreign_words.c translator/lang/foreign_words.h \
	translator/lang/lexer.c translator/lang/lexer.h \
	translator/lang/operators.h \
	translator/lang/parse_expression.c \
	translator/lang/parse_print.c \
	translator/lang/parse_probe.c \
	translator/lang/parse_statement.c \
	translator/lang/parser.c translator/lang/parser.h \
	translator/lang/preprocessor.c translator/lang/preprocessor.h \
	translator/lang/printer.c \
	translator/lang/purpose.c translator/lang/purpose.h \
	translator/lang/script_options.c translator/lang/script_options.h \
	translator/dump.c translator/dump.h \
	translator/examples.c translator/examples.h \
	translator/one_liners.c translator/one_liners.h \
	translator/kernel_choice.c translator/kernel_choice.h \
	translator/script_cache.c translator/script_cache.h \
	translator/script_help.c translator/script_help.h \
	translator/script_words.c translator/script_words.h \
	translator/json_lines.c translator/json_lines.h \
	translator/list.c translator/list.h \
	translator/list_lines.c \
	translator/options.c translator/options.h \
	translator/client/answer.c translator/client/answer.h translator/client/client.c translator/client/client.h \
	translator/library.c translator/library.h \
	translator/sources.c translator/sources.h \
	translator/stopwatch.c translator/stopwatch.h \
	translator/rc.c translator/rc.h \
	translator/lowering/chain.c \
	translator/lowering/groups.c \
	translator/lowering/lowering.h \
	translator/lowering/pretty.c \
	translator/lowering/renamed_members.c \
	translator/lowering/suggest_variables.c \
	translator/lowering/target.h \
	translator/lowering/type_modules.c translator/lowering/type_modules.h \
	translator/lowering/type_operators.c \
	translator/lowering/value_expression.c \
	translator/lowering/variables.c \
	translator/renames/renames.c translator/renames/renames.h \
	translator/probes/builds.c translator/probes/builds.h \
	translator/probes/callee.c \
	translator/probes/function.c translator/probes/function_probes.h \
	translator/probes/kprobe.c \
	translator/probes/mark.c translator/probes/mark.h \
	translator/probes/netfilter.c \
	translator/probes/objects.c \
	translator/probes/perf.c translator/probes/perf.h \
	translator/probes/process.c \
	translator/probes/procfs.c \
	translator/probes/provider.h \
	translator/probes/registry.c \
	translator/probes/session.c \
	translator/probes/statement.c \
	translator/probes/suggest_functions.c translator/probes/suggest_functions.h \
	translator/probes/syscall.c \
	translator/probes/syscall_aliases.c translator/probes/syscall_aliases.h \
	translator/probes/syscall_rows.c \
	translator/probes/syscall_rows.h \
	translator/probes/timer.c \
	translator/probes/tracepoint.c \
	translator/probes/unwinders.c translator/probes/unwinders.h \
	translator/probes/watchpoint.c \
	translator/run/arguments.c translator/run/arguments.h \
	translator/run/guest_files.c translator/run/guest_files.h \
	translator/run/jobs.c translator/run/jobs.h \
	translator/run/remote.c translator/run/remote.h \
	translator/run/report.c translator/run/report.h \
	translator/run/run.c translator/run/run.h \
	translator/run/script_line.c translator/run/script_line.h \
	translator/run/shell.c translator/run/shell.h \
	translator/run/streams.c translator/run/streams.h \
	translator/session/analysis.c \
	translator/session/catalog.c \
	translator/session/chains.c \
	translator/session/complete.c \
	translator/session/complete_points.c \
	translator/session/cursor.c \
	translator/session/definitions.c \
	translator/session/describe.c \
	translator/session/documentation.c \
	translator/session/environment.c \
	translator/session/format.c \
	translator/session/index_jobs.c \
	translator/session/internal.h \
	translator/session/names.c \
	translator/session/navigate.c \
	translator/session/outline.c \
	translator/session/problems.c \
	translator/session/references.c \
	translator/session/rename.c \
	translator/session/session.c \
	translator/session/session.h \
	translator/session/text.c translator/session/text.h \
	translator/session/tokens.c \
	translator/sema/analyze.c \
	translator/sema/bind.c \
	translator/sema/builder.c translator/sema/builder.h \
	translator/sema/call_sites.c \
	translator/sema/check.c \
	translator/sema/specialize.c translator/sema/specialize.h \
	translator/sema/derive.c \
	translator/sema/embedded.c translator/sema/embedded.h \
	translator/sema/globals.c \
	translator/sema/key_names.c \
	translator/sema/locks.c \
	translator/sema/lower.c \
	translator/sema/suggest_replacements.c translator/sema/suggest_replacements.h \
	translator/sema/suggest_points.c \
	translator/sema/optimize.c \
	translator/sema/own_output.c \
	translator/sema/sink.c \
	translator/sema/pointers.c translator/sema/pointers.h \
	translator/sema/privilege.c \
	translator/sema/regex.c translator/sema/regex.h \
	translator/sema/regex_tables.c \
	translator/sema/scope.c translator/sema/scope.h \
	translator/sema/sema.h \
	translator/sema/stack_keys.c \
	translator/sema/targets.c \
	translator/sema/user_objects.c \
	translator/sema/types.c
libspile_a_CPPFLAGS = $(AM_CPPFLAGS)
libspile_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(DEBUGINFO_CFLAGS) $(DEBUGINFOD_CFLAGS)

stap_SOURCES = translator/main.c translator/bundles.c translator/bundles.h translator/driver.c translator/driver.h \
	translator/drivers.c translator/drivers.h translator/hosts.c translator/hosts.h \
	translator/lint.c translator/lint.h translator/other_user.c translator/other_user.h
stap_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
stap_LDADD = libspile.a libspilebundle.a $(common_libraries) $(GLIB_LIBS) $(DEBUGINFO_LIBS)

# The language server.
bin_PROGRAMS += stap-language-server
stap_language_server_SOURCES = \
	common/json_rpc.c common/json_rpc.h \
	translator/lsp/documents.c \
	translator/lsp/inbox.c translator/lsp/inbox.h \
	translator/lsp/main.c \
	translator/lsp/messages.c \
	translator/lsp/requests.c \
	translator/lsp/server.c translator/lsp/server.h
stap_language_server_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(JSON_GLIB_CFLAGS)
stap_language_server_LDADD = libspile.a $(common_libraries) $(GLIB_LIBS) $(JSON_GLIB_LIBS) $(DEBUGINFO_LIBS)

# The server for agents.
bin_PROGRAMS += stap-mcp
stap_mcp_SOURCES = \
	common/json_rpc.c common/json_rpc.h \
	translator/mcp/job.c translator/mcp/job.h \
	translator/mcp/main.c \
	translator/mcp/server.c translator/mcp/server.h \
	translator/mcp/tools.c translator/mcp/tools.h
stap_mcp_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(JSON_GLIB_CFLAGS)
stap_mcp_LDADD = libspile.a $(common_libraries) $(GLIB_LIBS) $(JSON_GLIB_LIBS) $(DEBUGINFO_LIBS)

# The interactive mode.
bin_PROGRAMS += stap-interactive
stap_interactive_SOURCES = \
	translator/interactive/commands.c \
	translator/interactive/completion.c \
	translator/interactive/describe.c \
	translator/interactive/input.c translator/interactive/input.h \
	translator/interactive/interactive.h \
	translator/interactive/main.c \
	translator/interactive/run.c \
	translator/interactive/script.c \
	translator/interactive/settings.c translator/interactive/settings.h
stap_interactive_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(READLINE_CFLAGS)
stap_interactive_LDADD = libspile.a $(common_libraries) $(GLIB_LIBS) $(DEBUGINFO_LIBS) $(READLINE_LIBS)

# In the order in which the library is read.
# stap under the name by which it runs programs in D.
spile-dtrace: stap$(EXEEXT)
	$(AM_V_GEN)$(LN_S) -f stap$(EXEEXT) $@
all-local: spile-dtrace
CLEANFILES += spile-dtrace
install-exec-local:
	$(MKDIR_P) "$(DESTDIR)$(bindir)"
	cd "$(DESTDIR)$(bindir)" && $(LN_S) -f stap$(EXEEXT) spile-dtrace
uninstall-dtrace:
	rm -f "$(DESTDIR)$(bindir)/spile-dtrace"

tapsetdir = $(pkgdatadir)/tapset
dist_tapset_DATA = \
	tapset/ansi.stp \
	tapset/argv.stp \
	tapset/cgroup.stp \
	tapset/clock.stp \
	tapset/context.stp \
	tapset/dlang.d \
	tapset/dlang-arm64.d \
	tapset/dlang-x86_64.d \
	tapset/dlang.stp \
	tapset/dlang_memory.stp \
	tapset/errno.stp \
	tapset/float.stp \
	tapset/guru.stp \
	tapset/indent.stp \
	tapset/ioblock.stp \
	tapset/ioscheduler.stp \
	tapset/irq.stp \
	tapset/inet.stp \
	tapset/input.stp \
	tapset/livepatch.stp \
	tapset/json.stp \
	tapset/json.stpm \
	tapset/prometheus.stp \
	tapset/prometheus.stpm \
	tapset/kernel_memory.stp \
	tapset/load.stp \
	tapset/namespace.stp \
	tapset/options.stpm \
	tapset/signal.stp \
	tapset/memory_events.stp \
	tapset/mib.stp \
	tapset/process_memory.stp \
	tapset/queue_stats.stp \
	tapset/random.stp \
	tapset/signal_events.stp \
	tapset/socket.stp \
	tapset/stopwatch.stp \
	tapset/tcp.stp \
	tapset/text.stp \
	tapset/thread_values.stp \
	tapset/trace.stp \
	tapset/tty.stp \
	tapset/user_memory.stp \
	tapset/vfs.stp \
	tapset/undocumented.stp \
	tapset/undocumented.stpm \
	tapset/user_stack.stp \
	tapset/macros.stpm \
	tapset/netdev.stp \
	tapset/netfilter.stp \
	tapset/nfs.stp \
	tapset/nfsd.stp \
	tapset/own_programs.stp \
	tapset/path.stp \
	tapset/perf.stp \
	tapset/process_events.stp \
	tapset/procfs.stp \
	tapset/regex.stp \
	tapset/registers.stp \
	tapset/scheduler.stp \
	tapset/scsi.stp \
	tapset/session.stp \
	tapset/speculation.stp \
	tapset/stack.stp \
	tapset/strings.stp \
	tapset/sunrpc.stp \
	tapset/syscalls.stp \
	tapset/task.stp

# The runtime is installed as source, because it is compiled for each kernel.
runtimedatadir = $(pkgdatadir)
nobase_dist_runtimedata_DATA = \
	runtime/Kbuild.in \
	runtime/abi/crash_log.h \
	runtime/abi/layout.h \
	runtime/abi/line_table.h \
	runtime/abi/object_table.h \
	runtime/abi/protocol.h \
	runtime/abi/snapshot.h \
	runtime/abi/regex_match.h \
	runtime/abi/regex_table.h \
	runtime/abi/syscall_numbers.h \
	runtime/abi/syscall_rows.h \
	runtime/abi/syscall_sets.h \
	runtime/abi/syscall_table.h \
	runtime/arch/arm64/breakpoints.h \
	runtime/arch/arm64/callback.h \
	runtime/arch/arm64/function_entry.h \
	runtime/arch/arm64/kernel_stack.h \
	runtime/arch/arm64/memory.h \
	runtime/arch/arm64/register_names.h \
	runtime/arch/arm64/registers.h \
	runtime/arch/arm64/syscall.h \
	runtime/arch/arm64/user_address.h \
	runtime/arch/arm64/user_stack.h \
	runtime/arch/breakpoints.h \
	runtime/arch/callback.h \
	runtime/arch/function_entry.h \
	runtime/arch/kernel_stack.h \
	runtime/arch/memory.h \
	runtime/arch/register_names.h \
	runtime/arch/registers.h \
	runtime/arch/syscall.h \
	runtime/arch/user_address.h \
	runtime/arch/user_stack.h \
	runtime/arch/x86/breakpoints.h \
	runtime/arch/x86/callback.h \
	runtime/arch/x86/function_entry.h \
	runtime/arch/x86/kernel_stack.h \
	runtime/arch/x86/memory.h \
	runtime/arch/x86/register_names.h \
	runtime/arch/x86/registers.h \
	runtime/arch/x86/syscall.h \
	runtime/arch/x86/user_address.h \
	runtime/arch/x86/user_stack.h \
	runtime/compat/compat.h \
	runtime/compat/facts.awk \
	runtime/compat/facts.c \
	runtime/compat/has_include.h \
	runtime/control/control.c \
	runtime/control/control.h \
	runtime/control/module.c \
	runtime/control/monitor.c \
	runtime/control/monitor.h \
	runtime/control/run.c \
	runtime/control/run.h \
	runtime/control/snapshot.c \
	runtime/control/snapshot.h \
	runtime/core/allocation.c \
	runtime/core/allocation.h \
	runtime/core/arming.c \
	runtime/core/arming.h \
	runtime/core/cgroup_filter.c \
	runtime/core/cgroup_filter.h \
	runtime/core/condition.c \
	runtime/core/condition.h \
	runtime/core/context.c \
	runtime/core/context.h \
	runtime/core/delay.c \
	runtime/core/delay.h \
	runtime/core/entry.h \
	runtime/core/drops.c \
	runtime/core/drops.h \
	runtime/core/full_context.h \
	runtime/core/handler_error.c \
	runtime/core/handler_output.c \
	runtime/core/handler_sleep.c \
	runtime/core/handler_sleep.h \
	runtime/core/internal.h \
	runtime/core/lock.c \
	runtime/core/lock.h \
	runtime/core/module_notifier.c \
	runtime/core/module_notifier.h \
	runtime/core/overload.c \
	runtime/core/overload.h \
	runtime/core/own_process.c \
	runtime/core/own_process.h \
	runtime/core/pin_cpu.h \
	runtime/core/session.c \
	runtime/core/session.h \
	runtime/core/stack_space.c \
	runtime/core/stack_space.h \
	runtime/core/target.c \
	runtime/core/target.h \
	runtime/core/tracepoint_hook.c \
	runtime/core/tracepoint_hook.h \
	runtime/core/transport.c \
	runtime/core/transport.h \
	runtime/data/globals.c \
	runtime/data/globals.h \
	runtime/data/map.c \
	runtime/data/map.h \
	runtime/data/statistic.c \
	runtime/data/statistic.h \
	runtime/library/backtrace.c \
	runtime/library/cgroup.c \
	runtime/library/clock.c \
	runtime/library/cpu.c \
	runtime/library/cpu.h \
	runtime/library/float.c \
	runtime/library/float_math.h \
	runtime/library/hit_info.c \
	runtime/library/kernel_log.c \
	runtime/library/kernel_memory.c \
	runtime/library/own_module.c \
	runtime/library/path.c \
	runtime/library/path_text.c \
	runtime/library/path_text.h \
	runtime/library/regex.c \
	runtime/library/registers.c \
	runtime/library/script_memory.c \
	runtime/library/signal.c \
	runtime/library/signal.h \
	runtime/library/stack.c \
	runtime/library/stack.h \
	runtime/library/string.c \
	runtime/library/symbol.c \
	runtime/library/task.c \
	runtime/library/task.h \
	runtime/probes/families.c \
	runtime/probes/families.h \
	runtime/probes/function.c \
	runtime/probes/kprobe.c \
	runtime/probes/kprobe.h \
	runtime/probes/kprobe_batch.c \
	runtime/probes/kprobe_batch.h \
	runtime/probes/kretprobe.c \
	runtime/probes/kretprobe.h \
	runtime/probes/netfilter.c \
	runtime/probes/perf.c \
	runtime/probes/perf.h \
	runtime/probes/perf_program.c \
	runtime/probes/perf_program.h \
	runtime/probes/process.c \
	runtime/probes/process_data.c \
	runtime/probes/process_data.h \
	runtime/probes/procfs.c \
	runtime/probes/syscall.c \
	runtime/probes/timer.c \
	runtime/probes/tracepoint.c \
	runtime/probes/uprobe.c \
	runtime/probes/watchpoint.c \
	runtime/probes/watchpoint.h \
	runtime/script/handler.h \
	runtime/script/primitives.h \
	runtime/script/script.h \
	runtime/script/services.h \
	runtime/script/systemtap.h \
	runtime/syscall/formats.c \
	runtime/syscall/formats.h \
	runtime/syscall/hit.c \
	runtime/syscall/hit.h \
	runtime/syscall/special.c \
	runtime/syscall/special.h \
	runtime/syscall/text.c \
	runtime/text/addresses.c \
	runtime/text/addresses.h \
	runtime/text/print.c \
	runtime/text/quote.c \
	runtime/text/quote.h \
	runtime/text/source_line.c \
	runtime/text/source_line.h \
	runtime/unit_fast.c \
	runtime/unit_slow.c \
	runtime/user/cached_page.c \
	runtime/user/cached_page.h \
	runtime/user/calls.c \
	runtime/user/calls.h \
	runtime/user/debugger.c \
	runtime/user/debugger.h \
	runtime/user/exec.c \
	runtime/user/exec.h \
	runtime/user/memory.c \
	runtime/user/memory.h \
	runtime/user/process_address.c \
	runtime/user/process_tree.c \
	runtime/user/process_tree.h \
	runtime/user/program_build.c \
	runtime/user/program_build.h \
	runtime/user/program_file.c \
	runtime/user/program_file.h \
	runtime/user/returns.c \
	runtime/user/returns.h \
	runtime/user/stacks/jit_maps.c \
	runtime/user/stacks/jit_maps.h \
	runtime/user/stacks/map_files.c \
	runtime/user/stacks/map_files.h \
	runtime/user/stacks/map_tracking.c \
	runtime/user/stacks/map_tracking.h \
	runtime/user/stacks/maps.c \
	runtime/user/stacks/maps.h \
	runtime/user/stacks/open_file.c \
	runtime/user/stacks/open_file.h \
	runtime/user/stacks/rt_pool.c \
	runtime/user/stacks/rt_pool.h \
	runtime/user/stacks/symbols.c \
	runtime/user/stacks/symbols.h \
	runtime/user/stacks/tables.c \
	runtime/user/stacks/tables.h \
	runtime/user/stacks/walk.c \
	runtime/user/stacks/walk.h
