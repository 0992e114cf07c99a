"""The world that tools answer from: places, hosts, web pages. Part of the room of tools."""
