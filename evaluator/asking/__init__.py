"""Putting tasks to a model: prompts, client, runs and their folders. Imports scoring, horizon, traces."""
