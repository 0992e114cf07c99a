"""What turns results into HTML. Imports board, jobs, submissions and base; knows nothing of Gradio."""
