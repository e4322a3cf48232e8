# Code shared by all programs; included by the top Makefile.am.

# Without GLib, for the set-uid staprun and the programs that it runs (common/base/memory.h): compiled without GLib's
# flags, so an include of its headers fails.
noinst_LIBRARIES += libspilebase.a
libspilebase_a_SOURCES = \
	common/base/cleanup.h \
	common/base/error.c common/base/error.h \
	common/base/foreign.c common/base/foreign.h \
	common/base/i18n.c common/base/i18n.h \
	common/base/json_schema.c common/base/json_schema.h \
	common/base/json_text.c common/base/json_text.h \
	common/base/memory.c common/base/memory.h \
	common/base/message.c common/base/message.h \
	common/base/number.c common/base/number.h \
	common/base/option_words.c common/base/option_words.h \
	common/base/paths.c common/base/paths.h \
	common/base/read_write.c common/base/read_write.h \
	common/base/retry.h \
	common/base/root_paths.c common/base/root_paths.h \
	common/base/script_line.c common/base/script_line.h \
	common/base/script_option.c common/base/script_option.h \
	common/base/standard_streams.c common/base/standard_streams.h \
	common/base/utf8.c common/base/utf8.h
libspilebase_a_CFLAGS = $(AM_CFLAGS)

noinst_LIBRARIES += libspilecommon.a
libspilecommon_a_SOURCES = \
	common/architecture.c common/architecture.h \
	common/arena.c common/arena.h \
	common/build_root.c common/build_root.h \
	common/build_time.c common/build_time.h \
	common/cache.c common/cache.h common/cache_limit.c \
	common/checksum.c common/checksum.h \
	common/file_facts.c common/file_facts.h \
	common/files.c common/files.h \
	common/guest_root.c common/guest_root.h \
	common/json_reader.c common/json_reader.h \
	common/limits.c common/limits.h \
	common/nearest.c common/nearest.h \
	common/process.c common/process.h \
	common/progress.c common/progress.h \
	common/release.c common/release.h \
	common/report_formats.c common/report_formats.h \
	common/sysroot.c common/sysroot.h \
	common/user_directories.c common/user_directories.h
libspilecommon_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)

# ELF files: single ones, the libraries of programs, modules made by stap.
noinst_LIBRARIES += libspileelf.a
libspileelf_a_SOURCES = \
	common/elf/bytes.c common/elf/bytes.h \
	common/elf/compressed.c common/elf/compressed.h \
	common/elf/elf.c common/elf/elf.h \
	common/elf/module_facts.c common/elf/module_facts.h \
	common/elf/program_libraries.c common/elf/program_libraries.h
libspileelf_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)

# The messages between stap and a compile server.
noinst_LIBRARIES += libspilewire.a
libspilewire_a_SOURCES = \
	common/wire/places.c common/wire/places.h \
	common/wire/protocol.c common/wire/protocol.h \
	common/wire/request.c common/wire/request.h \
	common/wire/server_options.c common/wire/server_options.h
libspilewire_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)

# For programs with GLib; a library stands before those that it uses.
common_libraries = libspileelf.a libspilewire.a libspilecommon.a libspilebase.a
