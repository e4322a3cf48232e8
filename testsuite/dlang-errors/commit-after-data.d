BEGIN { self->s = speculation(); }
BEGIN { trace(1); commit(self->s); }
