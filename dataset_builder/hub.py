"""The only place that talks to the Hugging Face Hub."""

from pathlib import Path

from dataset_builder.errors import InputError


def download_suite(repo: str, revision: str | None) -> Path:
    """The Parquet file of a suite on the Hub, downloaded into the local cache; InputError otherwise."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(
            hf_hub_download(repo, "data/default.parquet", repo_type="dataset", revision=revision)
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(
            f"{repo}: neither a file here nor a dataset that the Hub gives ({reason}); "
            "`comptoolbench build` writes the suite to a folder"
        ) from None
