"""How to cite and archive the dataset: BibTeX, Citation File Format, a Zenodo deposit."""

import json
from typing import Any

from croissant.description import Metadata

PAPER = "CompToolBench: Measuring the Compositional Tool-Use Gap in Large Language Models"
PAPER_AUTHOR = ("Rahman", "Md A")
PAPER_YEAR = 2026
LICENSE = "CC-BY-4.0"
_FIRST_RELEASE = "https://zenodo.org/records/18907784"

PAPER_BIBTEX = f"""\
@misc{{comptoolbench2026paper,
  title  = {{{PAPER}}},
  author = {{{", ".join(PAPER_AUTHOR)}}},
  year   = {{{PAPER_YEAR}}}
}}"""


def bibtex(creator: str, version: str, released: str, url: str) -> str:
    """The BibTeX entry of a version of the dataset; ``released`` is an ISO 8601 date."""
    return f"""\
@misc{{comptoolbench,
  title        = {{CompToolBench, suite {version}}},
  author       = {{{{{creator}}}}},
  year         = {{{released[:4]}}},
  howpublished = {{\\url{{{url}}}}}
}}"""


def citation_cff(metadata: Metadata, digest: str) -> str:
    """The text of ``CITATION.cff`` (Citation File Format 1.2.0)."""
    import yaml

    family, given = PAPER_AUTHOR
    data = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it and the paper that it follows.",
        "type": "dataset",
        "title": "CompToolBench",
        "abstract": metadata.description,
        "authors": [{"name": creator.name} for creator in metadata.creators],
        "version": metadata.version,
        "date-released": metadata.date_published,
        "license": LICENSE,
        "url": metadata.url,
        "identifiers": [
            {
                "type": "other",
                "value": f"sha256:{digest}",
                "description": "SHA-256 of the rows as canonical JSON lines",
            }
        ],
        "keywords": list(metadata.keywords),
        "references": [
            {
                "type": "generic",
                "title": PAPER,
                "authors": [{"family-names": family, "given-names": given}],
                "year": PAPER_YEAR,
            }
        ],
    }
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)
    return text


def zenodo_json(metadata: Metadata) -> str:
    """The text of ``.zenodo.json``: the metadata of a deposit that gives the dataset a DOI."""
    data: dict[str, Any] = {
        "upload_type": "dataset",
        "title": f"CompToolBench, suite {metadata.version}",
        "description": metadata.description,
        "creators": [{"name": creator.name} for creator in metadata.creators],
        "version": metadata.version,
        "publication_date": metadata.date_published,
        "access_right": "open",
        "license": LICENSE.lower(),
        "language": "eng",
        "keywords": list(metadata.keywords),
        "related_identifiers": [
            {"relation": "isIdenticalTo", "identifier": metadata.url, "scheme": "url"},
            {"relation": "isDerivedFrom", "identifier": _FIRST_RELEASE, "scheme": "url"},
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
