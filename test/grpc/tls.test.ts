/** With a certificate the same port speaks every protocol over TLS, and nothing without. */
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { PlanService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { createTestCertificate } from "../support/certificate.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";

const certificate = await forThisFile(createTestCertificate());
const ca = certificate.ca;
const service = await forThisFile(startTestService({ config: { tls: certificate.tls } }));
const account = await service.createAccount();
const address = `localhost:${service.port}`;

function authorization() {
  return { authorization: `Bearer ${account.key}` };
}

const TRANSPORTS = {
  gRPC: (baseUrl: string) => createGrpcTransport({ baseUrl, nodeOptions: { ca } }),
  "gRPC-Web": (baseUrl: string) =>
    createGrpcWebTransport({ baseUrl, httpVersion: "1.1", nodeOptions: { ca } }),
  Connect: (baseUrl: string) =>
    createConnectTransport({ baseUrl, httpVersion: "2", nodeOptions: { ca } }),
};

test.each(Object.entries(TRANSPORTS))("%s by Connect", async (_name, createTransport) => {
  const plan = createClient(PlanService, createTransport(`https://${address}`));
  expect(await plan.getPlanStatus({}, { headers: authorization() })).toMatchObject({
    planTier: "starter",
  });
});

function getPlanStatusByGrpcJs(channel: ReturnType<typeof credentials.createSsl>) {
  const client = new Client(address, channel);
  const metadata = new Metadata();
  metadata.set("authorization", authorization().authorization);
  const asIs = (bytes: Buffer) => bytes;
  const path = "/agentmemory.v1.PlanService/GetPlanStatus";
  return new Promise<ServiceError | null>((resolve) => {
    client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), metadata, resolve);
  }).finally(() => client.close());
}

test("gRPC by grpc-js", async () => {
  expect(await getPlanStatusByGrpcJs(credentials.createSsl(Buffer.from(ca)))).toBeNull();
});

test("without TLS gRPC fails", async () => {
  const insecure = await getPlanStatusByGrpcJs(credentials.createInsecure());
  expect(insecure?.code).toBe(status.UNKNOWN);
  const plan = createClient(PlanService, createGrpcTransport({ baseUrl: `http://${address}` }));
  const error = await plan.getPlanStatus({}, { headers: authorization() }).catch(ConnectError.from);
  expect(error).toBeInstanceOf(ConnectError);
  expect(Code[(error as ConnectError).code]).toBe("Unknown");
});
