"""The page as a whole: tabs assembled, routes, requests, API, the command. Imports every other room."""
