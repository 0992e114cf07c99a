"""Runs that belong together: control, sweep, fresh tasks. Imports asking and comparing."""
