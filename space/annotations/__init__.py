"""Tasks checked by hand: what annotators found, on disk and on the Hub. Imports base."""
