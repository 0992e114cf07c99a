"""What a model answered and how it was asked: read, checked, appended. Imports no other room."""
