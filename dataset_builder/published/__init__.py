"""The dataset that others load: columns, card, suites, the Hub. Imports tasks, tools and values."""
