"""What one answer is worth, and what the answers of a run are. Imports traces and horizon."""
