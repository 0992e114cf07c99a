"""The command line, one module a command. Imports every other room, and none imports it."""
