"""Description in, Croissant 1.1 JSON-LD out: a pure function, and the bytes it is stored as."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from croissant.description import (
    Activity,
    Agent,
    Column,
    File,
    Metadata,
    RecordSet,
    ResponsibleAI,
    Source,
)

CORE = "http://mlcommons.org/croissant/1.1"
RESPONSIBLE_AI = "http://mlcommons.org/croissant/RAI/1.0"

CROISSANT_TERMS = (
    "annotation arrayShape citeAs column containedIn equivalentProperty excludes extract field "
    "fileObject fileProperty fileSet format includes isArray isLiveDataset jsonPath key md5 "
    "parentField path readLines recordSet references regex repeated replace samplingRate "
    "sdVersion separator source subField transform unArchive value"
).split()

DATA_TYPES = {
    "string": "sc:Text",
    "int64": "sc:Integer",
    "float64": "sc:Float",
    "bool": "sc:Boolean",
}

# PROV-O has no kinds of activity: submissions to NeurIPS name them by these Wikidata pages.
ACTIVITY_TYPES = {
    "collection": "https://www.wikidata.org/wiki/Q4929239",
    "preprocessing": "https://www.wikidata.org/wiki/Q5227332",
    "annotation": "https://www.wikidata.org/wiki/Q109719325",
}


def jsonld(
    metadata: Metadata,
    files: Sequence[File],
    record_sets: Sequence[RecordSet],
) -> dict[str, Any]:
    """The dataset as Croissant 1.1 with the Responsible-AI vocabulary; files lie beside the document.

    Raises ValueError if an identifier is used twice, or a record set names a file or a key column
    that does not exist.
    """
    _check(files, record_sets)
    return {
        "@context": _context(),
        "@type": "sc:Dataset",
        "name": metadata.name,
        "description": metadata.description,
        "conformsTo": [CORE, RESPONSIBLE_AI],
        "citeAs": metadata.citation,
        "creator": [_agent(creator) for creator in metadata.creators],
        "datePublished": metadata.date_published,
        "inLanguage": list(metadata.languages),
        "isLiveDataset": False,
        "keywords": list(metadata.keywords),
        "license": metadata.license,
        "publisher": _agent(metadata.publisher),
        "sameAs": list(metadata.same_as),
        "sdLicense": metadata.license,
        "sdVersion": metadata.metadata_version,
        "url": metadata.url,
        "version": metadata.version,
        **_responsible_ai(metadata.responsible_ai),
        "distribution": [_file_object(file) for file in files],
        "recordSet": [_record_set(record_set) for record_set in record_sets],
    }


def dumps(document: dict[str, Any]) -> str:
    """The document as it is stored: the same document always gives the same text."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _check(files: Sequence[File], record_sets: Sequence[RecordSet]) -> None:
    # JSON-LD merges nodes of one identifier without a word: the second would corrupt the first.
    paths = [file.path for file in files]
    _check_distinct("file or record set", [*paths, *(table.name for table in record_sets)])
    for table in record_sets:
        columns = [column.name for column in table.columns]
        _check_distinct(f"column of record set {table.name!r}", columns)
        if table.file not in paths:
            raise ValueError(f"record set {table.name!r} reads {table.file!r}, which is not listed")
        for name in table.key:
            if name not in columns:
                raise ValueError(f"record set {table.name!r} has no column {name!r} for its key")


def _check_distinct(what: str, identifiers: Iterable[str]) -> None:
    seen: set[str] = set()
    for identifier in identifiers:
        if identifier in seen:
            raise ValueError(f"{what} {identifier!r} is listed twice")
        seen.add(identifier)


def _context() -> dict[str, Any]:
    # The specification's appendix writes schema.org with http; the reference validator takes https
    # only, and warns about any standard term that is left out, used or not. It also writes into
    # the context that it is given: hence a new one for every document.
    return {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "dct": "http://purl.org/dc/terms/",
        "prov": "http://www.w3.org/ns/prov#",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "sc": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "description": {"@container": "@language"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "name": {"@container": "@language"},
        **{term: f"cr:{term}" for term in CROISSANT_TERMS},
    }


def _responsible_ai(answers: ResponsibleAI) -> dict[str, Any]:
    return {
        "rai:dataCollection": answers.collection,
        "rai:dataCollectionType": list(answers.collection_types),
        "rai:dataAnnotationProtocol": answers.annotation,
        "rai:dataBiases": answers.biases,
        "rai:dataLimitations": answers.limitations,
        "rai:dataUseCases": answers.use_cases,
        "rai:dataSocialImpact": answers.social_impact,
        "rai:personalSensitiveInformation": answers.sensitive_information,
        "rai:dataReleaseMaintenancePlan": answers.maintenance,
        "rai:hasSyntheticData": answers.has_synthetic_data,
        "prov:wasDerivedFrom": [_source(source) for source in answers.derived_from],
        "prov:wasGeneratedBy": [_activity(activity) for activity in answers.generated_by],
    }


def _source(source: Source) -> dict[str, Any]:
    node = {"@id": source.url, "@type": "prov:Entity", "prov:label": source.name}
    return {**node, "sc:license": source.license} if source.license else node


def _activity(activity: Activity) -> dict[str, Any]:
    return {
        "@type": "prov:Activity",
        "prov:type": {"@id": ACTIVITY_TYPES[activity.kind]},
        "prov:label": activity.name,
        "sc:description": activity.description,
        "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": activity.software},
    }


def _agent(agent: Agent) -> dict[str, Any]:
    node = {"@type": f"sc:{agent.kind}", "name": agent.name}
    return {**node, "url": agent.url} if agent.url else node


def _file_object(file: File) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path.rsplit("/", 1)[-1],
        "contentSize": f"{file.size} B",
        "contentUrl": file.path,
        "encodingFormat": file.encoding_format,
        "sha256": file.sha256,
    }


def _record_set(table: RecordSet) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        "key": [{"@id": f"{table.name}/{name}"} for name in table.key],
        "field": [_field(table, column) for column in table.columns],
    }


def _field(table: RecordSet, column: Column) -> dict[str, Any]:
    data_type = DATA_TYPES[column.type]
    node: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": [data_type, "rdf:JSON"] if column.json else data_type,
        "source": {"fileObject": {"@id": table.file}, "extract": {"column": column.name}},
    }
    return {**node, "isArray": True, "arrayShape": "-1"} if column.repeated else node
