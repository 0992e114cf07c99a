"""The world that tools answer from: cities, host names, web pages, and which of them a query means. Part of the room of tools."""
