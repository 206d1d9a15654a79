"""Our sentence boundaries beside those of three libraries: speed, score, waiting, and false cuts."""
