"""Collects what is wrong with a body, each finding with its place."""

from collections.abc import Collection, Container
from dataclasses import dataclass, field

from diligent_tui.domain.json_objects import JsonObject
from diligent_tui.providers.wire.values import TOOL_NAME, flaws, is_array, is_count, is_object, is_said


@dataclass(slots=True)
class Report:
    """The findings so far; each question answers with a value to go on with, so that one fault hides no other."""

    found: list[str] = field(default_factory=list[str])

    def say(self, place: str, what: str) -> None:
        """Note a violation."""
        self.found.append(f"{place}: {what}")

    def body(self, body: JsonObject, known: Container[str]) -> None:
        """Ask that a whole body can be sent and has no field that its server does not know."""
        self.found.extend(flaws(body, ""))
        self.known_fields(body, "body", known)

    def known_fields(self, value: JsonObject, place: str, known: Container[str]) -> None:
        """Ask that an object has no other fields."""
        for key in value:
            if key not in known:
                self.say(place, f"unknown field {key!r}")

    def an_object(self, value: object, place: str) -> JsonObject:
        """Ask for an object; an empty one stands in for anything else."""
        if is_object(value):
            return value
        self.say(place, "must be an object")
        return {}

    def an_array(self, value: object, place: str) -> list[object]:
        """Ask for an array with something in it."""
        if is_array(value) and value:
            return value
        self.say(place, "must be an array that is not empty")
        return []

    def a_text(self, value: object, place: str) -> str:
        """Ask for a text with more in it than white space."""
        if is_said(value):
            return value
        self.say(place, "must be text that is not blank")
        return ""

    def a_count(self, value: object, place: str, least: int) -> None:
        """Ask for a whole number that is large enough."""
        if not is_count(value) or value < least:
            self.say(place, f"must be a whole number from {least} on")

    def one_of(self, value: object, place: str, allowed: Collection[object]) -> None:
        """Ask for one of a few values; true is not taken for 1."""
        if not any(value is item or (type(value) is type(item) and value == item) for item in allowed):
            self.say(place, f"must be one of {', '.join(map(str, allowed))}")

    def a_tool_name(self, value: object, place: str) -> str:
        """Ask for a name that every server takes."""
        if isinstance(value, str) and TOOL_NAME.fullmatch(value):
            return value
        self.say(place, f"must match ^{TOOL_NAME.pattern}$")
        return ""

    def a_schema(self, value: object, place: str) -> None:
        """Ask for the JSON schema of an object."""
        schema = self.an_object(value, place)
        if schema.get("type") != "object":
            self.say(place, "must be a schema of type object")
        if "properties" in schema:
            self.an_object(schema["properties"], f"{place}.properties")

    def new_name(self, name: str, place: str, taken: set[str]) -> None:
        """Ask that a name has not been seen before."""
        if name and name in taken:
            self.say(place, f"{name!r} is used twice")
        taken.add(name)
