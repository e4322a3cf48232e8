# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hook of dracut: start the scripts. dracut reads this file into its own shell, which must not end.
sh /lib/spile/start
