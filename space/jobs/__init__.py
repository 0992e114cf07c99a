"""Runs that visitors order: queue, processes, progress, publication. Imports submissions and base."""
