"""Tools for models and agents of LangChain and LangGraph."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from google.protobuf import __version__ as _protobuf
from google.protobuf.json_format import MessageToJson, ParseDict, ParseError
from langchain_core.tools import BaseTool, StructuredTool, ToolException

from agent_memory import _rpcs
from agent_memory.client import AsyncClient, Client
from agent_memory.errors import AgentMemoryError

_TENANT_ID = "tenant_id"
_TENANT_IDS = "tenant_ids"
# What is empty or false is said too; the option was renamed.
_WHOLE = (
    "including_default_value_fields"
    if int(_protobuf.split(".")[0]) < 5
    else "always_print_fields_with_no_presence"
)


def memory_tools(
    client: Client | AsyncClient,
    *,
    tenant_id: str | None = None,
    only: Iterable[str] | None = None,
) -> list[BaseTool]:
    """The tools; their answers are JSON, as short as a model needs them.

    client: with an `AsyncClient` the tools can only be awaited.
    tenant_id: the tenant of every call, which the model then neither sees nor chooses. Memories
        are also reached by their IDs, by `supersede` and `timeline`: leave those out with `only`
        where a model must not reach the memories of another tenant.
    only: the names of the tools that are offered; all of them if left out.

    Raises ValueError for a name in `only` that no tool has.
    """
    offered = json.loads(files("agent_memory").joinpath("tools.json").read_text("utf-8"))
    names = [tool["name"] for tool in offered]
    chosen = names if only is None else list(only)
    for name in chosen:
        if name not in names:
            raise ValueError(f"there is no tool `{name}`")
    return [_tool(client, tool, tenant_id) for tool in offered if tool["name"] in chosen]


def _tool(client: Client | AsyncClient, offered: Any, tenant_id: str | None) -> BaseTool:
    rpc = getattr(_rpcs, offered["rpc"])
    schema = offered["input_schema"]
    fixed = {}
    if tenant_id is not None and schema["properties"].pop(_TENANT_ID, None) is not None:
        fixed[_TENANT_ID] = tenant_id
        schema["properties"].pop(_TENANT_IDS, None)

    def request_of(args: dict[str, Any]) -> Any:
        # A model may invent what it was not offered.
        chosen = {name: args[name] for name in args if not fixed or name != _TENANT_IDS}
        try:
            return ParseDict({**chosen, **fixed}, rpc.request())
        except ParseError as error:
            raise ToolException(str(error)) from error

    def call(**args: Any) -> str:
        try:
            return _json_of(client._send(rpc, None, None, request_of(args)), offered)
        except AgentMemoryError as error:
            raise ToolException(_told(error, offered)) from error

    async def call_async(**args: Any) -> str:
        try:
            answer = await client._send(rpc, None, None, request_of(args))
            return _json_of(answer, offered)
        except AgentMemoryError as error:
            raise ToolException(_told(error, offered)) from error

    is_async = isinstance(client, AsyncClient)
    return StructuredTool(
        name=offered["name"],
        description=offered["description"],
        args_schema=schema,
        func=None if is_async else call,
        coroutine=call_async if is_async else None,
        # What is wrong is told the model, which goes on.
        handle_tool_error=True,
    )


def _told(error: AgentMemoryError, offered: Any) -> str:
    """What went wrong, and what was stored all the same."""
    if error.partial is None:
        return str(error)
    return f"{error}; stored: {_json_of(error.partial, offered)}"


def _json_of(message: Any, offered: Any) -> str:
    text = MessageToJson(message, preserving_proto_field_name=True, **{_WHOLE: True})
    whole = _flattened(json.loads(text), offered["flat"])
    return json.dumps(_shaped_as(offered["answer"], whole), ensure_ascii=False)


def _flattened(value: Any, flat: list[str]) -> Any:
    """As REST writes a message: what is `flat` stands in the object around it."""
    if isinstance(value, list):
        return [_flattened(one, flat) for one in value]
    if not isinstance(value, dict):
        return value
    members: dict[str, Any] = {}
    for name, one in value.items():
        inner = _flattened(one, flat)
        members.update(inner if name in flat and isinstance(inner, dict) else {name: inner})
    return members


def _shaped_as(shape: Any, value: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for name, part in shape.items():
        if isinstance(part, str):
            found = _value_at(value, part)
            if found not in (None, ""):
                shown[name] = found
        else:
            each = part["each"]
            elements = _value_at(value, part["list"]) or []
            shown[name] = elements if each is None else [_shaped_as(each, one) for one in elements]
    return shown


def _value_at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = _member_of(value, name)
    return value


def _member_of(value: Any, name: str) -> Any:
    """Of a list: of all its elements together."""
    if isinstance(value, list):
        found = [_member_of(one, name) for one in value]
        return [one for part in found for one in (part if isinstance(part, list) else [part])]
    return value.get(name) if isinstance(value, dict) else None
