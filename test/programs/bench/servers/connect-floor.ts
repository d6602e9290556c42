/** Connect's own handler of JSON over HTTP/1.1, for searches that are answered at once. */
import { createServer } from "node:http";
import { create } from "@bufbuild/protobuf";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import {
  MemoryService,
  SearchMemoriesResponseSchema,
} from "../../../../gen/agentmemory/v1/memory_service_pb.ts";
import { listen, serve } from "./serve.ts";

const ANSWER = create(SearchMemoriesResponseSchema, {});

await serve(async () =>
  listen(
    createServer(
      connectNodeAdapter({
        routes: (router) => void router.service(MemoryService, { searchMemories: () => ANSWER }),
      }),
    ),
  ),
);
