"""Requests from the arguments of a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from agent_memory.times import timestamp_of

Request = TypeVar("Request")


def request_of(kind: type[Request], fields: Mapping[str, Any]) -> Request:
    """A request with the arguments that are given; None is the same as leaving one out.

    Raises TypeError or ValueError, which name the argument at fault.
    """
    request = kind()
    _fill(request, fields, "")
    return request


def _fill(message: Any, fields: Mapping[str, Any], place: str) -> None:
    for name, value in fields.items():
        if name not in message.DESCRIPTOR.fields_by_name:
            raise TypeError(f"`{place}{name}` is no field of {message.DESCRIPTOR.name}")
        if value is None:
            continue
        try:
            _set(message, name, value, f"{place}{name}")
        except (TypeError, ValueError) as error:
            if str(error).startswith("`"):
                raise
            # Of a text that is none it is a kind with arguments of its own.
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"`{place}{name}`: {error}") from error


def _set(message: Any, name: str, value: Any, place: str) -> None:
    target = getattr(message, name)
    if isinstance(target, Message):
        target.SetInParent()
        _copy(target, value, place)
    elif hasattr(target, "extend"):
        elements = _list(value)
        if not hasattr(target, "add"):
            target.extend(elements)
            return
        for index, each in enumerate(elements):
            _copy(target.add(), each, f"{place}[{index}]")
    elif hasattr(target, "update"):
        if not isinstance(value, Mapping):
            raise TypeError(f"it must be a dict, not {type(value).__name__}")
        target.update(value)
    else:
        setattr(message, name, value)


def _copy(target: Any, value: Any, place: str) -> None:
    if isinstance(value, datetime):
        value = timestamp_of(value)
    if isinstance(value, Message):
        target.CopyFrom(value)
    elif isinstance(target, FieldMask):
        target.paths.extend(_list(value))
    elif isinstance(target, Timestamp) or not isinstance(value, Mapping):
        wanted = "datetime" if isinstance(target, Timestamp) else target.DESCRIPTOR.name
        raise TypeError(f"it must be a {wanted}, not {type(value).__name__}")
    elif isinstance(target, Struct):
        target.update(value)
    else:
        _fill(target, value, f"{place}.")


def _list(value: Any) -> Iterable[Any]:
    """What is a list. Of a text protobuf would take the letters, of False nothing."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise TypeError("it must be a list")
    return value
