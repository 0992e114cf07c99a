"""The server: episodes of the stream, and the application that serves them."""
