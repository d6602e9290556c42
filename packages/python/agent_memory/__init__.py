"""A client of the agent memory service, sync (`Client`) and async (`AsyncClient`)."""

from agent_memory import messages
from agent_memory.client import AsyncClient, Client
from agent_memory.errors import AgentMemoryError
from agent_memory.messages import *  # noqa: F403
from agent_memory.pages import AsyncPages, Pages
from agent_memory.times import datetime_of, timestamp_of

__all__ = [
    "AgentMemoryError",
    "AsyncClient",
    "AsyncPages",
    "Client",
    "Pages",
    "datetime_of",
    "timestamp_of",
]
__all__ += messages.__all__
