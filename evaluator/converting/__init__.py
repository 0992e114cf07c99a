"""Other people's logs as traces: one file for each format. Imports asking (to read calls) and traces."""
