"""The page: a Gradio leaderboard over the evaluator's functions; no formula and no typed-in number here."""
