"""What every part of the page stands on: settings, visitors, sanitized text, markup. Imports no room."""
