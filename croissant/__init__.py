"""Croissant 1.1 metadata for a folder of data files; knows nothing of what the data means."""
