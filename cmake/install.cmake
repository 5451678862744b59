# Installation: filled in by the packaging part.
