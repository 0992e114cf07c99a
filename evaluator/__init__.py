"""What is answered, and what it is worth: traces, scores, audit, statistics, and asking models."""
