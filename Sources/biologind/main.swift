// Wired when every part is there.
