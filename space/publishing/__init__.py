"""The dataset and the page sent to the Hub. Imports base."""
