"""Why an answer is worth what it is, as data and text. Imports comparing, scoring and traces."""
