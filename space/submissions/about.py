"""What is said of a submission: by its submitter, and by what it holds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from dataset_builder.errors import InputError
from evaluator.models import known_models
from space.base.sanitize import MAX_TEXT, check_name, clean, clean_link

REGIMES = ("frontier", "free_cloud", "local")
OPEN_WEIGHTS = ("yes", "no")


@dataclass(frozen=True)
class About:
    """What a submitter says of the traces; `checked` makes it fit to be shown."""

    model: str = ""
    """Shown in place of the model's name in the rows, where all rows are of one model."""
    organisation: str = ""
    link: str = ""
    provider: str = ""
    regime: str = ""
    open_weights: str = ""

    def checked(self) -> "About":
        """The same, cleaned; InputError with everything that cannot be taken."""
        problems = []
        link = self.link
        try:
            link = clean_link(link)
        except InputError as error:
            problems.append(str(error))
        if self.regime and self.regime not in REGIMES:
            problems.append(f"regime: expected one of {', '.join(REGIMES)}")
        if self.open_weights and self.open_weights not in OPEN_WEIGHTS:
            problems.append(f"open weights: expected {' or '.join(OPEN_WEIGHTS)}")
        model = clean(self.model, MAX_TEXT)
        try:
            if model:
                check_name(model)
        except InputError as error:
            problems.append(str(error))
        if problems:
            raise InputError("; ".join(problems))
        return replace(
            self,
            model=model,
            organisation=clean(self.organisation, MAX_TEXT),
            provider=clean(self.provider, MAX_TEXT),
            link=link,
        )


ABOUT_KEYS = (
    "model",
    "models",
    "organisation",
    "link",
    "provider",
    "regime",
    "open_weights",
    "protocol",
    "catalogue",
    "suite",
    "tier",
    "submitter",
    "submitted_at",
    "sha256",
)
"""What every description says; the columns of the results repository."""


@lru_cache(maxsize=1)
def _known_models() -> Mapping[str, tuple[str, str]]:
    return {model.id: (model.regime, model.provider.name) for model in known_models()}


def known_model(name: str) -> tuple[str, str]:
    """Regime and provider of a model that the paper names, by its id; nothing of any other."""
    return _known_models().get(name, ("", ""))
