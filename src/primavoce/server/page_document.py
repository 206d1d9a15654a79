"""What the page's routes answer, for the document in OpenAPI."""

from typing import Any

from primavoce.server.page import FILE_PATH, INFO_PATH, MEDIA_TYPES, PAGE_PATH

type Document = dict[str, Any]

UNCHANGED: Document = {"description": "The browser's copy is the same."}


def page_paths(*, missing: Document) -> Document:
    """Return the paths; none of them asks for a key.

    Args:
        missing: Refusals where there is no such file.
    """
    kinds: Document = {media_type.partition(";")[0]: {} for media_type in MEDIA_TYPES.values()}
    told = [{"$ref": f"#/components/schemas/{name}"} for name in ("PageInfo", "PublicInfo")]
    name = {"name": "file", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    return {
        PAGE_PATH: {
            "get": {
                "operationId": "page",
                "summary": "The page where one hears the server.",
                "responses": {"200": {"description": "It.", "content": {"text/html": {}}}, "304": UNCHANGED},
            }
        },
        FILE_PATH: {
            "get": {
                "operationId": "page_file",
                "summary": "One of its files.",
                "parameters": [name],
                "responses": {"200": {"description": "It.", "content": kinds}, "304": UNCHANGED, **missing},
            }
        },
        INFO_PATH: {
            "get": {
                "operationId": "page_info",
                "summary": "What the page needs to know; the second to those without the key that is asked for.",
                "responses": {
                    "200": {"description": "It.", "content": {"application/json": {"schema": {"anyOf": told}}}}
                },
            }
        },
    }
