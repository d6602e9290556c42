"""Timestamps as Python has them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp


def timestamp_of(moment: datetime) -> Timestamp:
    """A moment as messages have it. Raises ValueError where it has no time zone."""
    if moment.utcoffset() is None:
        raise ValueError("a datetime must have a time zone: the service guesses none")
    timestamp = Timestamp()
    timestamp.FromDatetime(moment)
    return timestamp


def datetime_of(message: Any, field: str) -> datetime | None:
    """The moment in a field of a message, in UTC: `datetime_of(memory, "valid_to")`.

    None: it is unset, which is null in JSON. Raises ValueError where the message has no such field.
    """
    if not message.HasField(field):
        return None
    moment: datetime = getattr(message, field).ToDatetime(tzinfo=timezone.utc)
    return moment
