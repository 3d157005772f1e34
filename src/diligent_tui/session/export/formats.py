"""The names of the export formats, and of the files they are kept in."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

ExportFormat = Literal["md", "html", "jsonl"]
FORMAT_OF_SUFFIX: Mapping[str, ExportFormat] = MappingProxyType(
    {".md": "md", ".markdown": "md", ".html": "html", ".htm": "html", ".jsonl": "jsonl"}
)
