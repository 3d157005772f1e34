"""What the model is told of each built-in tool: its name, its words and its schema, apart from what the tool does."""

from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES
from diligent_tui.domain.requests import ToolSpec
from diligent_tui.tools.descriptions import description
from diligent_tui.tools.todo_list import STATES, TOOL_NAME

TIMEOUT_SECONDS = 120.0
LONGEST_TIMEOUT_SECONDS = 1_800.0
USUAL_COUNT = 10
"""So many entries a search for knowledge lists if it is not told how many."""

_TYPES: dict[str, object] = {"type": "string", "enum": list(KNOWLEDGE_TYPES)}
_CONFIDENCE: dict[str, object] = {
    "type": "number",
    "minimum": 0,
    "maximum": 1,
    "description": "0 to 1; what the user said himself is 1.",
}
_TAGS: dict[str, object] = {"type": "array", "items": {"type": "string"}, "description": "Words to find it by."}


def read_file_spec() -> ToolSpec:
    """The tool `read`."""
    return ToolSpec(
        name="read",
        description=description("read_file"),
        input_schema={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The file, from the working folder or absolute."},
                "offset": {"type": "integer", "minimum": 1, "description": "The first line to read, from 1."},
                "limit": {"type": "integer", "minimum": 1, "description": "How many lines to read."},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    )


def write_file_spec() -> ToolSpec:
    """The tool `write`."""
    return ToolSpec(
        name="write",
        description=description("write_file"),
        input_schema={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The file, from the working folder or absolute."},
                "content": {"type": "string", "description": "All that the file will hold."},
            },
            "required": ["path", "content"],
            "additionalProperties": False,
        },
    )


def edit_file_spec() -> ToolSpec:
    """The tool `edit`."""
    return ToolSpec(
        name="edit",
        description=description("edit_file"),
        input_schema={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The file, from the working folder or absolute."},
                "edits": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "properties": {
                            "old": {"type": "string", "description": "The text to replace; in the file once."},
                            "new": {"type": "string", "description": "The text to put there."},
                        },
                        "required": ["old", "new"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["path", "edits"],
            "additionalProperties": False,
        },
    )


def list_folder_spec() -> ToolSpec:
    """The tool `ls`."""
    return ToolSpec(
        name="ls",
        description=description("list_folder"),
        input_schema={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The folder; the working folder if left out."},
            },
            "required": [],
            "additionalProperties": False,
        },
    )


def find_files_spec() -> ToolSpec:
    """The tool `glob`."""
    return ToolSpec(
        name="glob",
        description=description("find_files"),
        input_schema={
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "description": "The pattern, from `path` on."},
                "path": {"type": "string", "description": "The folder to look in; the working folder if left out."},
            },
            "required": ["pattern"],
            "additionalProperties": False,
        },
    )


def search_text_spec() -> ToolSpec:
    """The tool `grep`."""
    return ToolSpec(
        name="grep",
        description=description("search_text"),
        input_schema={
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "description": "The regular expression; `(`, `.` and such need a `\\`."},
                "path": {"type": "string", "description": "Folder or file; the working folder if left out."},
                "glob": {"type": "string", "description": "Only files of such names, as `*.py` or `src/**/*.ts`."},
                "ignoreCase": {"type": "boolean", "description": "Take capital and small letters for the same."},
                "filesOnly": {"type": "boolean", "description": "Only name the files that have a hit."},
            },
            "required": ["pattern"],
            "additionalProperties": False,
        },
    )


def run_command_spec(timeout_seconds: float) -> ToolSpec:
    """The tool `bash`."""
    return ToolSpec(
        name="bash",
        description=description("run_command"),
        input_schema={
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The command, as for `bash -c`."},
                "timeoutSeconds": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": LONGEST_TIMEOUT_SECONDS,
                    "description": f"After how many seconds the command is ended; {timeout_seconds:g} if left out.",
                },
                "network": {
                    "type": "boolean",
                    "description": "True if the command needs the network; the user is asked.",
                },
                "outsideSandbox": {
                    "type": "boolean",
                    "description": "True if the command must write outside the workspace; the user is asked.",
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        },
    )


def keep_todo_spec() -> ToolSpec:
    """The tool `todo`."""
    return ToolSpec(
        name=TOOL_NAME,
        description=description("keep_todo"),
        input_schema={
            "type": "object",
            "properties": {
                "items": {
                    "type": "array",
                    "description": "The whole list, in order; empty when nothing is left to do.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "text": {"type": "string", "description": "What to do, in one line."},
                            "state": {"type": "string", "enum": list(STATES)},
                        },
                        "required": ["text", "state"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["items"],
            "additionalProperties": False,
        },
    )


def recall_entry_spec() -> ToolSpec:
    """The tool `recall`."""
    return ToolSpec(
        name="recall",
        description=description("recall_entry"),
        input_schema={
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "The id of the entry to show."},
                "offset": {"type": "integer", "minimum": 1, "description": "With `id`: the first character, from 1."},
                "query": {"type": "string", "description": "Instead of `id`: words to search the whole session for."},
            },
            "additionalProperties": False,
        },
    )


def add_knowledge_spec() -> ToolSpec:
    """The tool `add_knowledge`."""
    return ToolSpec(
        name="add_knowledge",
        description=description("add_knowledge"),
        input_schema={
            "type": "object",
            "properties": {
                "content": {"type": "string", "description": "The fact, in a sentence complete in itself."},
                "type": _TYPES,
                "confidence": _CONFIDENCE,
                "tags": _TAGS,
                "scope": {
                    "type": "string",
                    "enum": ["project", "user"],
                    "description": "user only if it holds in all projects.",
                },
                "supersedes": {"type": "string", "description": "The id of the entry it replaces."},
                "distinct": {"type": "boolean", "description": "true if the entries shown are another matter."},
            },
            "required": ["content", "type"],
            "additionalProperties": False,
        },
    )


def search_knowledge_spec() -> ToolSpec:
    """The tool `search_knowledge`."""
    return ToolSpec(
        name="search_knowledge",
        description=description("search_knowledge"),
        input_schema={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words that the fact would hold, or the id of an entry."},
                "limit": {"type": "integer", "minimum": 1, "description": f"Most entries; {USUAL_COUNT} if left out."},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    )


def supersede_knowledge_spec() -> ToolSpec:
    """The tool `supersede_knowledge`."""
    return ToolSpec(
        name="supersede_knowledge",
        description=description("supersede_knowledge"),
        input_schema={
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "The id of the entry that no longer holds."},
                "content": {"type": "string", "description": "What holds now, in a sentence complete in itself."},
                "type": _TYPES,
                "confidence": _CONFIDENCE,
                "tags": _TAGS,
            },
            "required": ["id", "content"],
            "additionalProperties": False,
        },
    )
