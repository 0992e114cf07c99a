"""The dataset that others load: columns, card, suites, the Hub. Imports procedures and tasks."""
