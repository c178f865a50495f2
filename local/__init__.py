"""The embedded default: the engine's launcher, and a bucket and a zone to try things on."""
