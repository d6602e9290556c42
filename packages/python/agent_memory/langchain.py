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
    """The tools; their answers are the messages of the service as JSON.

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
        try:
            return ParseDict({**args, **fixed}, rpc.request())
        except ParseError as error:
            raise ToolException(str(error)) from error

    def call(**args: Any) -> str:
        try:
            return _json_of(client._send(rpc, None, None, request_of(args)), offered["omits"])
        except AgentMemoryError as error:
            raise ToolException(str(error)) from error

    async def call_async(**args: Any) -> str:
        try:
            answer = await client._send(rpc, None, None, request_of(args))
            return _json_of(answer, offered["omits"])
        except AgentMemoryError as error:
            raise ToolException(str(error)) from error

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


def _json_of(message: Any, omits: list[str]) -> str:
    if omits:
        holder = message
        for name in omits[:-1]:
            holder = getattr(holder, name)
        holder.ClearField(omits[-1])
    text: str = MessageToJson(
        message, preserving_proto_field_name=True, indent=None, ensure_ascii=False, **{_WHOLE: True}
    )
    return text
