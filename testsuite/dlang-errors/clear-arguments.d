BEGIN { @a = count(); clear(@a, 3); }
