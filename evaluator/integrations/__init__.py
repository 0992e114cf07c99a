"""Ways to and from other people's tools and formats. Imports asking, comparing, scoring and traces."""
