"""Tables as tools read them: records and their text forms. Part of the room of tools."""
