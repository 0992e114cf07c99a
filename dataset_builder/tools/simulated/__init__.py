"""The world that tools answer from: cities, hosts, web pages, keyword search. Part of the room of tools."""
