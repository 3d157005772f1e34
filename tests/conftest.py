"""Random cases are the same in every run of the suite; `make soak` looks for new ones."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None, max_examples=1_000)
settings.load_profile("steady")
