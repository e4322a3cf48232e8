BEGIN /self->x/ { trace(this->y); }
