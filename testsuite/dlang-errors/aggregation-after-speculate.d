BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); @a = count(); }
