import { constants } from "node:http2";
import type { Duplex } from "node:stream";
import {
  announcesBody,
  isHttp2,
  type NodeRequest,
  type NodeResponse,
  setArrivalLimit,
} from "@agent-memory/transcoding/node-http";

/** As Node reports one. */
const REQUEST_TIMEOUT = Object.assign(new Error("The request took too long to arrive"), {
  code: "ERR_HTTP_REQUEST_TIMEOUT",
});

/**
 * Refuses a request whose body takes too long to arrive, over HTTP/1.1 by `refuse`. Node's own
 * limit is for the whole of each request, and some may send theirs for as long as they like.
 */
export function limitArrival(
  request: NodeRequest,
  response: NodeResponse,
  timeoutMs: number,
  refuse: (error: NodeJS.ErrnoException, socket: Duplex) => void,
): void {
  if (!announcesBody(request)) return;
  let timer: NodeJS.Timeout | undefined;
  const pause = () => clearTimeout(timer);
  const restart = () => {
    pause();
    timer = setTimeout(() => {
      if (isHttp2(request)) request.stream.close(constants.NGHTTP2_CANCEL);
      else refuse(REQUEST_TIMEOUT, request.socket);
    }, timeoutMs).unref();
  };
  restart();
  setArrivalLimit(request, { pause, restart });
  request.once("end", pause).once("close", pause);
  // The rest of a body that nobody reads still arrives over HTTP/1.1.
  if (isHttp2(request)) response.once("close", pause);
}
