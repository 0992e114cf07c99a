"""The board: its runs, where each stands, their answers explained. Imports submissions and base."""
