"""From template to task: slots, ground truth, distractors, the engine. Imports tools and values."""
