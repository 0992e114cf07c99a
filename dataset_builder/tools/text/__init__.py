"""Texts as tools read them: words, keywords, mood, names, differences, HTML. Part of the room of tools."""
