/**
 * The process that the load comes from: what it computes is not the service's. It is
 * forked, and plays what it is sent.
 */
import { answerRequests } from "./answer.ts";

answerRequests(async (work) => {
  switch (work.kind) {
    case "service":
      return (await import("./service-calls.ts")).openServiceCalls(work);
    case "http":
      return (await import("./http-calls.ts")).openHttpCalls(work);
    case "grpc-echo":
      return (await import("./echo-calls.ts")).openEchoCalls(work);
    case "sql":
      return (await import("./sql-calls.ts")).openSqlCalls(work);
    case "peer":
      throw new Error("A library is called in a process of its own");
  }
});
