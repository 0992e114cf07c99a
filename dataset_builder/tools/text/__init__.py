"""Texts as tools read them: words, names, differences, HTML. Part of the room of tools."""
