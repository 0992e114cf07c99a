"""What is asked: the tools, the templates, the engine that makes tasks, and the published dataset."""
