# Tests; included by the top Makefile.am. testsuite/run runs them.

# automake would build check_PROGRAMS for each `make check`.
test_programs = testsuite/unit/test-lang testsuite/unit/test-debuginfo testsuite/unit/test-objects \
	testsuite/unit/test-arm64 testsuite/unit/test-bundle testsuite/unit/test-console \
	testsuite/unit/test-dlang testsuite/unit/test-exporter \
	testsuite/unit/test-locations testsuite/unit/test-places testsuite/unit/test-sources \
	testsuite/unit/test-float testsuite/unit/test-frames testsuite/unit/test-globals \
	testsuite/unit/test-instructions \
	testsuite/unit/test-json \
	testsuite/unit/test-kallsyms \
	testsuite/unit/test-nesting \
	testsuite/unit/test-options \
	testsuite/unit/test-paths testsuite/unit/test-regex \
	testsuite/unit/test-staprun testsuite/unit/test-syscalls testsuite/unit/test-unwind testsuite/unit/test-server \
	testsuite/fuzz/fuzz-translator testsuite/fuzz/fuzz-editor testsuite/fuzz/fuzz-inputs testsuite/fuzz/fuzz-stack \
	testsuite/values/make-program testsuite/values/make-rust-program testsuite/values/make-script \
	testsuite/values/make-dlang
EXTRA_PROGRAMS += $(test_programs)
CLEANFILES += $(test_programs)
unit_test_libraries = libspile.a $(common_libraries) $(GLIB_LIBS) $(DEBUGINFO_LIBS)
testsuite_unit_test_lang_SOURCES = testsuite/unit/test-lang.c testsuite/unit/definitions.h testsuite/unit/part.h
testsuite_unit_test_lang_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_lang_LDADD = $(unit_test_libraries)
testsuite_unit_test_debuginfo_SOURCES = testsuite/unit/test-debuginfo.c testsuite/unit/errors.h testsuite/unit/part.h
testsuite_unit_test_debuginfo_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_debuginfo_LDADD = $(unit_test_libraries)
testsuite_unit_test_objects_SOURCES = testsuite/unit/test-objects.c testsuite/unit/commands.h testsuite/unit/errors.h
testsuite_unit_test_objects_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_objects_LDADD = $(unit_test_libraries)
testsuite_unit_test_locations_SOURCES = testsuite/unit/test-locations.c testsuite/unit/commands.h \
	testsuite/unit/errors.h
testsuite_unit_test_locations_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_locations_LDADD = $(unit_test_libraries)
testsuite_unit_test_places_SOURCES = testsuite/unit/test-places.c testsuite/unit/commands.h testsuite/unit/errors.h
testsuite_unit_test_places_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_places_LDADD = $(unit_test_libraries)
testsuite_unit_test_sources_SOURCES = testsuite/unit/test-sources.c testsuite/unit/commands.h testsuite/unit/errors.h
testsuite_unit_test_sources_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_sources_LDADD = $(unit_test_libraries)
testsuite_unit_test_arm64_SOURCES = testsuite/unit/test-arm64.c
testsuite_unit_test_arm64_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_arm64_LDADD = $(unit_test_libraries)
testsuite_unit_test_bundle_SOURCES = testsuite/unit/test-bundle.c testsuite/unit/bundle_bytes.h \
	testsuite/unit/errors.h
testsuite_unit_test_bundle_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(DEBUGINFO_CFLAGS)
testsuite_unit_test_bundle_LDADD = libspile.a libspilebundle.a $(common_libraries) $(GLIB_LIBS) $(DEBUGINFO_LIBS)
testsuite_unit_test_console_SOURCES = testsuite/unit/test-console.c
testsuite_unit_test_console_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_console_LDADD = libspilevm.a $(common_libraries) $(GLIB_LIBS)
testsuite_unit_test_exporter_SOURCES = testsuite/unit/test-exporter.c
testsuite_unit_test_exporter_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(JSON_GLIB_CFLAGS)
testsuite_unit_test_exporter_LDADD = $(exporter_libraries)
testsuite_unit_test_dlang_SOURCES = testsuite/unit/test-dlang.c
testsuite_unit_test_dlang_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_dlang_LDADD = $(unit_test_libraries)
testsuite_unit_test_float_SOURCES = testsuite/unit/test-float.c
testsuite_unit_test_float_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_float_LDADD = $(GLIB_LIBS) -lm
testsuite_unit_test_frames_SOURCES = testsuite/unit/test-frames.c testsuite/unit/commands.h testsuite/unit/errors.h
testsuite_unit_test_frames_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBELF_CFLAGS)
testsuite_unit_test_frames_LDADD = $(unit_test_libraries)
testsuite_unit_test_instructions_SOURCES = testsuite/unit/test-instructions.c testsuite/unit/part.h
testsuite_unit_test_instructions_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBELF_CFLAGS) $(ZYDIS_CFLAGS)
testsuite_unit_test_instructions_LDADD = $(unit_test_libraries) $(ZYDIS_LIBS)
testsuite_unit_test_globals_SOURCES = testsuite/unit/test-globals.c
testsuite_unit_test_globals_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_globals_LDADD = libspilemonitor.a libspilebase.a $(GLIB_LIBS)
testsuite_unit_test_json_SOURCES = testsuite/unit/test-json.c
testsuite_unit_test_json_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_json_LDADD = libspilebase.a $(GLIB_LIBS)
testsuite_unit_test_options_SOURCES = testsuite/unit/test-options.c
testsuite_unit_test_options_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_options_LDADD = libspilebase.a $(GLIB_LIBS)
testsuite_unit_test_kallsyms_SOURCES = testsuite/unit/test-kallsyms.c testsuite/unit/part.h
testsuite_unit_test_kallsyms_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_kallsyms_LDADD = $(unit_test_libraries)
testsuite_unit_test_nesting_SOURCES = testsuite/unit/test-nesting.c
testsuite_unit_test_nesting_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_nesting_LDADD = $(unit_test_libraries)
testsuite_unit_test_paths_SOURCES = testsuite/unit/test-paths.c
testsuite_unit_test_paths_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_paths_LDADD = $(unit_test_libraries)
testsuite_unit_test_regex_SOURCES = testsuite/unit/test-regex.c testsuite/unit/part.h
testsuite_unit_test_regex_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_regex_LDADD = $(unit_test_libraries)
testsuite_unit_test_server_SOURCES = testsuite/unit/test-server.c testsuite/unit/errors.h
testsuite_unit_test_server_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_server_LDADD = libspileserver.a $(unit_test_libraries)
testsuite_unit_test_syscalls_SOURCES = testsuite/unit/test-syscalls.c
testsuite_unit_test_syscalls_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_syscalls_LDADD = $(unit_test_libraries)
testsuite_unit_test_unwind_SOURCES = testsuite/unit/test-unwind.c
testsuite_unit_test_unwind_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_unwind_LDADD = $(unit_test_libraries)
testsuite_fuzz_fuzz_translator_SOURCES = testsuite/fuzz/fuzz-translator.c testsuite/fuzz/fuzz.h \
	testsuite/fuzz/bytes.c testsuite/fuzz/grammar.c testsuite/fuzz/seeds.c testsuite/fuzz/seeds.h \
	testsuite/unit/definitions.h
testsuite_fuzz_fuzz_translator_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_fuzz_fuzz_translator_LDADD = $(unit_test_libraries)
testsuite_fuzz_fuzz_editor_SOURCES = testsuite/fuzz/fuzz-editor.c testsuite/fuzz/seeds.c testsuite/fuzz/seeds.h
testsuite_fuzz_fuzz_editor_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_fuzz_fuzz_editor_LDADD = $(unit_test_libraries)
testsuite_fuzz_fuzz_stack_SOURCES = testsuite/fuzz/fuzz-stack.c
testsuite_fuzz_fuzz_stack_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_fuzz_fuzz_stack_LDADD = $(GLIB_LIBS)
testsuite_values_make_program_SOURCES = testsuite/values/make-program.c
testsuite_values_make_program_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_values_make_program_LDADD = $(GLIB_LIBS)
testsuite_values_make_rust_program_SOURCES = testsuite/values/make-rust-program.c
testsuite_values_make_rust_program_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_values_make_rust_program_LDADD = $(GLIB_LIBS)
testsuite_values_make_script_SOURCES = testsuite/values/make-script.c
testsuite_values_make_script_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_values_make_script_LDADD = $(GLIB_LIBS)
testsuite_values_make_dlang_SOURCES = testsuite/values/make-dlang.c
testsuite_values_make_dlang_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_values_make_dlang_LDADD = $(GLIB_LIBS)
# Links the unchanged code of staprun, stap-monitor, stap-vm and stap-report. Functions of the fuzzer replace the system
# calls by which unpack.c changes files.
testsuite_fuzz_fuzz_inputs_SOURCES = testsuite/fuzz/fuzz-inputs.c testsuite/fuzz/inputs.h \
	testsuite/fuzz/damage.c testsuite/fuzz/damage.h testsuite/fuzz/inputs-staprun.c testsuite/fuzz/inputs-cache.c \
	testsuite/fuzz/inputs-vm.c testsuite/fuzz/inputs-hub.c testsuite/fuzz/inputs-reader.c \
	testsuite/fuzz/inputs-globals.c testsuite/fuzz/inputs-server.c testsuite/fuzz/inputs-report.c \
	testsuite/fuzz/inputs-exporter.c testsuite/fuzz/inputs-frames.c testsuite/fuzz/inputs-bundle.c \
	testsuite/unit/bundle_bytes.h \
	vm/agent/unpack.c
testsuite_fuzz_fuzz_inputs_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBELF_CFLAGS) $(LIBDW_CFLAGS) $(JSON_GLIB_CFLAGS)
testsuite_fuzz_fuzz_inputs_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=open,--wrap=mkdir,--wrap=chmod,--wrap=unlink,--wrap=symlink
testsuite_fuzz_fuzz_inputs_LDADD = libspilebundle.a libspilereport.a libspilevm.a libspilemonitor.a libspilestaprun.a \
	$(unit_test_libraries) $(exporter_libraries) $(GIO_LIBS) -lm
testsuite_unit_test_staprun_SOURCES = testsuite/unit/test-staprun.c testsuite/unit/errors.h
testsuite_unit_test_staprun_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBELF_CFLAGS)
testsuite_unit_test_staprun_LDADD = libspilemonitor.a libspilestaprun.a libspilebase.a $(GLIB_LIBS)

# Damaged debuginfo, under AddressSanitizer: make fuzz-debuginfo FUZZ_SECONDS=600 [FUZZ_SEED=1]
EXTRA_PROGRAMS += testsuite/fuzz/fuzz-debuginfo
testsuite_fuzz_fuzz_debuginfo_SOURCES = testsuite/fuzz/fuzz-debuginfo.c testsuite/fuzz/damage.c \
	testsuite/fuzz/damage.h $(debuginfo_sources) $(abi_sources) \
	$(libspilebase_a_SOURCES) $(libspilecommon_a_SOURCES) $(libspileelf_a_SOURCES)
testsuite_fuzz_fuzz_debuginfo_CFLAGS = $(PLAIN_CFLAGS) -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer $(GLIB_CFLAGS) $(DEBUGINFO_CFLAGS) $(DEBUGINFOD_CFLAGS)
testsuite_fuzz_fuzz_debuginfo_LDFLAGS = -fsanitize=address,undefined
testsuite_fuzz_fuzz_debuginfo_LDADD = $(GLIB_LIBS) $(DEBUGINFO_LIBS)
FUZZ_SECONDS = 60
FUZZ_SEED =

.PHONY: fuzz-debuginfo
fuzz-debuginfo: testsuite/fuzz/fuzz-debuginfo$(EXEEXT)
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
		testsuite/fuzz/fuzz-debuginfo $(FUZZ_SECONDS) $(FUZZ_SEED)

# Scripts and expected results; the C files of testsuite/unit come from the lists above.
EXTRA_DIST += testsuite/run testsuite/analyze-runtime testsuite/compile-runtime testsuite/newest \
	testsuite/flag-names testsuite/flag-families testsuite/enum-tables testsuite/hosts \
	testsuite/emulated-host.sh testsuite/kernels testsuite/newer-libc.h \
	testsuite/lib.sh testsuite/json.sh testsuite/parts.sh \
	testsuite/batch.sh testsuite/batch-guest.sh testsuite/record-vm testsuite/fetched-kernels.sh \
	testsuite/programs.sh testsuite/script-heads.sh testsuite/script-examples.sh testsuite/differences.sh \
	testsuite/guest-tools.sh testsuite/packages-tools.sh testsuite/ssh-hosts.sh testsuite/systemd \
	testsuite/arrows testsuite/suites \
	testsuite/arm64-differences testsuite/library-calls testsuite/library-differences testsuite/library-names \
	testsuite/trace.jq testsuite/tree-sitter testsuite/check-translation testsuite/i18n \
	testsuite/jupyter \
	testsuite/configurations testsuite/attack testsuite/bundles testsuite/containers \
	testsuite/agents testsuite/diagnostics testsuite/dlang testsuite/dlang-errors testsuite/editors \
	testsuite/exporter \
	testsuite/fixtures testsuite/fuzz/found testsuite/guest testsuite/language testsuite/parse \
	testsuite/annotate testsuite/passes testsuite/programs testsuite/races testsuite/report \
	testsuite/staprun testsuite/user \
	testsuite/values/dlang.h \
	testsuite/values/program.h

# make check SUITES="style unit", and the same for make distcheck; without it, what testsuite/run runs by itself
SUITES =

# What a part of the suites needs of this build. The unit tests and most fuzzers run in the build with sanitizers.
part_programs = testsuite/fuzz/fuzz-stack testsuite/unit/test-server testsuite/values/make-program \
	testsuite/values/make-rust-program testsuite/values/make-script testsuite/values/make-dlang

.PHONY: check-programs check-part-programs check-suites
check-programs: $(test_programs)
check-part-programs: $(part_programs)
check-suites: all
	@if [ -n "$(SUITES)" ]; then $(MAKE) check-programs; else $(MAKE) check-part-programs; fi
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run $(SUITES)
check-local: check-suites

# Everything on every kernel, with new seeds for the fuzzers, and the suites on PREEMPT_RT with debuginfo. Takes about
# an hour. Run it before you call anything done.
.PHONY: check-full check-all-suites
check-full: check-all-suites check-rt-kernel
check-all-suites: all
	$(MAKE) check-programs
	./stap-vm path 6.12-rt >/dev/null 2>&1 || ./stap-vm fetch --no-debuginfo 6.12-rt
	$(MAKE) guest-programs || echo "without these programs, tests with guests of another architecture are skipped"
	SPILE_FULL=1 SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run $(SUITES)

# On a kernel that checks itself; builds it first if need be (ten minutes), and is not part of `make check`.
.PHONY: check-debug-kernel
check-debug-kernel: all
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run debug-kernel

# On a kernel that looks for data races, in the same way.
.PHONY: check-races
check-races: all
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run races

# Debian's packages on a system with systemd, in a guest. Needs root and debootstrap, and is not part of `make check`.
.PHONY: check-systemd
check-systemd: all
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run systemd

# On a kernel built by clang, with signed modules; not part of `make check` either.
.PHONY: check-clang-kernel
check-clang-kernel: all
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run clang-kernel

# On kernels without debug information, and without tracing; not part of `make check` either.
.PHONY: check-vanilla-kernels
check-vanilla-kernels: all
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run vanilla-kernels

# The suite arm64 and the scripts of other suites on the same kernel, with all that they need: a kernel with debuginfo
# (about 2 GB on disk), and the programs of its guests, made by the cross compiler of this machine. The scripts in
# arm64-differences must differ.
.PHONY: check-arm64
check-arm64: all check-programs
	./stap-vm fetch 6.1-arm64
	$(MAKE) guest-programs GUEST=arm64
	SPILE_TEST_KERNELS=6.1-arm64 SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run \
		arm64 dlang examples guest language library modules torture transport user

# On PREEMPT_RT, with debuginfo (about 2 GB to fetch).
.PHONY: check-rt-kernel
check-rt-kernel: all check-programs
	./stap-vm fetch 6.1-rt 6.12-rt
	SPILE_TEST_KERNELS="6.1-rt 6.12-rt" SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run \
		guest harmless language modules transport torture user

# The newest kernel of each suite of Debian's archive (2 GB to fetch for each): does it all work there? The table is
# doc/kernels.md. SUITES="sid trixie-rt" chooses; rows of others stay.
.PHONY: check-newest
check-newest: all
	STAP=$(abs_top_builddir)/stap STAP_VM=$(abs_top_builddir)/stap-vm \
		$(top_srcdir)/testsuite/newest --into $(top_srcdir)/doc/kernels.md $(SUITES)

# In fresh systems of each Debian that people run: ./bootstrap, its --demo, its --check of the suites that depend on the
# host's tools. As root, with debootstrap. HOSTS="trixie sid" chooses, HOSTS_OPTIONS=--full runs all suites.
HOSTS =
HOSTS_OPTIONS =
.PHONY: check-hosts
check-hosts:
	$(top_srcdir)/testsuite/hosts $(HOSTS_OPTIONS) $(HOSTS)

# Random scripts of new seeds for so many seconds, on a build with sanitizers.
SECONDS = 60
.PHONY: fuzz
fuzz: all
	SPILE_BUILDDIR=$(abs_top_builddir) SPILE_FUZZ_SECONDS=$(SECONDS) $(top_srcdir)/testsuite/run fuzz

# Run the whole suite; `SPILE_TESTS` and `SPILE_TEST_KERNELS` select tests. `make check` runs only a few minutes of it.
.PHONY: torture
torture: all
	SPILE_FULL=1 SPILE_TORTURE=20 SPILE_LOADS=1000 SPILE_BUILDDIR=$(abs_top_builddir) \
		$(top_srcdir)/testsuite/run torture

# Compilers use it instead of config.h, which all files include first, if it is there and made with their options.
config.h.gch: config.h testsuite/precompiled.h
	$(AM_V_GEN)$(COMPILE) $(GLIB_CFLAGS) -x c-header $(srcdir)/testsuite/precompiled.h -o $@
CLEANFILES += config.h.gch
EXTRA_DIST += testsuite/precompiled.h

# Remove the copy of the tree that the suite sanitizers keeps.
.PHONY: clean-sanitized
clean-sanitized:
	rm -rf sanitized sanitized.lock
distclean-local: clean-sanitized
