import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { ApiKeyService } from "../../gen/agentmemory/dashboard/v1/own_api_key_service_pb.ts";
import { SessionService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { SettingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { openSession } from "../../src/service/sessions.ts";
import type { TestAccount, TestService } from "./service.ts";

/** What a page of the dashboard sends. */
export const PAGE_HEADERS = { "x-dashboard": "1", "sec-fetch-site": "same-origin" };

/** The cookie of a new session of an account, over plain HTTP. */
export async function signIn(
  { context }: TestService,
  { companyId }: TestAccount,
): Promise<string> {
  return `agent_memory_session=${await openSession(context, companyId)}`;
}

type Headers = Readonly<Record<string, string>>;

/** Sends these headers with each call. */
export const sendsHeaders =
  (headers: Headers): Interceptor =>
  (next) =>
  (request) => {
    for (const [name, value] of Object.entries(headers)) request.header.set(name, value);
    return next(request);
  };

/** A client that sends these headers with each call. */
export function clientOf<Service extends DescService>(
  service: Service,
  { url }: { readonly url: string },
  headers: Headers,
): Client<Service> {
  const interceptors = [sendsHeaders(headers)];
  const transport = createConnectTransport({ baseUrl: url, httpVersion: "1.1", interceptors });
  return createClient(service, transport);
}

/** A client as a page of the account has it, in a session of its own. */
export async function accountClient<Service extends DescService>(
  of: Service,
  service: TestService,
  account: TestAccount,
): Promise<Client<Service>> {
  return clientOf(of, service, { ...PAGE_HEADERS, cookie: await signIn(service, account) });
}

/** The services as a signed-in page calls them. */
export function dashboardClients(
  service: TestService,
  cookie: string,
  headers: Headers = PAGE_HEADERS,
) {
  const all = { ...headers, cookie };
  return {
    session: clientOf(SessionService, service, all),
    apiKeys: clientOf(ApiKeyService, service, all),
    memories: clientOf(MemoryService, service, all),
    settings: clientOf(SettingsService, service, all),
  };
}
