"""Ways to and from other people's tools and formats."""
