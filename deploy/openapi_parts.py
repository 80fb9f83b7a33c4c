"""Parts of the OpenAPI document that are described inline rather than among the components."""

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.plumbing import ResolvedComponent

_INLINE: Final = "x-inline"
_REFERENCE: Final = "#/components/schemas/"


def inline(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Puts in what is said of serializers that are marked so, before choices get names of their own."""
    schemas = result["components"]["schemas"]
    parts = {name: schema for name, schema in schemas.items() if schema.pop(_INLINE, False)}
    pages = {name for name in schemas if name.removeprefix("Paginated").removesuffix("List") in parts}
    parts |= {name: schemas[name] for name in pages}

    def put_in(said: Any) -> Any:
        if isinstance(said, list):
            return [put_in(item) for item in said]
        if not isinstance(said, Mapping):
            return said
        name = str(said.get("$ref", "")).removeprefix(_REFERENCE)
        if name in parts:
            return _without_class(put_in(parts[name]))
        match said.get("oneOf"):
            case [inner, {"type": "null"}]:
                return put_in(inner) | {"nullable": True}
        return {key: put_in(inner) for key, inner in said.items()}

    result["paths"] = put_in(result["paths"])
    for name in parts:
        del schemas[name], generator.registry[name, ResolvedComponent.SCHEMA]
    return result


def _without_class(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without what it has of the class that it was made from."""
    told = {key: value for key, value in schema.items() if key != "description"}
    if "required" in told:
        told["required"] = [name for name in told["properties"] if name in told["required"]]
    for each in told["properties"].values():
        each.pop("readOnly", None)
    return told
