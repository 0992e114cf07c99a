"""Ways to and from other people's tools and formats. Imports comparing, scoring and traces."""
