"""The stream of tasks as an OpenEnv environment, in the form that OpenEnv asks for."""
