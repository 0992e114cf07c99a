"""The dataset that others load: columns, card, suites, the Hub.

Imports procedures, tasks, tools and values.
"""
