# stap-profile-annotate, which profiles programs and shows their source with hits; included by the top Makefile.am.

bin_PROGRAMS += stap-profile-annotate
stap_profile_annotate_SOURCES = \
	profile/hits.c profile/hits.h \
	profile/listing.c profile/listing.h \
	profile/main.c \
	profile/source.c profile/source.h
stap_profile_annotate_CFLAGS = $(libspilereport_a_CFLAGS)
stap_profile_annotate_LDADD = $(stap_report_LDADD)

profiledir = $(pkgdatadir)/profile
dist_profile_DATA = profile/annotate.stp
