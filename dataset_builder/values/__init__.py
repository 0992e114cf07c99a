"""What a value is and when two are the same: kinds, canonical and surface forms. Imports no other room."""
