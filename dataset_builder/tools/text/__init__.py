"""Texts as tools read them: words, keywords, sentiment, names, differences, HTML. Part of the room of tools."""
