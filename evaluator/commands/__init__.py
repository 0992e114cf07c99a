"""The command line, one module a group of commands. Imports every other room, and none imports it."""
