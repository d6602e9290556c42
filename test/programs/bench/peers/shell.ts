/** A peer behind HTTP: the same thin shell around each of them. */
import { createServer } from "node:http";
import { bodyOf, listen, serve } from "../servers/serve.ts";
import { openPeer, type PeerSetup } from "./peer.ts";

await serve<PeerSetup>(async (setup) => {
  const peer = await openPeer(setup);
  const server = createServer(async (request, response) => {
    try {
      const { turn, question, limit, inSession } = JSON.parse(await bodyOf(request));
      const rows =
        request.url === "/add"
          ? await peer.add(turn).then(() => 1)
          : await peer.search(question, limit, inSession);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ rows }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  return listen(server);
});
