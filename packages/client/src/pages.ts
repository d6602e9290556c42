import type { CallOptions } from "@connectrpc/connect";

/**
 * Every page of a list from the first on, each asked for when it is read:
 * `for await (const { memories } of pagesOf(client.memories.listMemories, {}))`.
 */
export async function* pagesOf<
  Request extends object,
  Response extends { nextPageToken?: string | undefined },
>(
  list: (request: Request, options?: CallOptions) => Promise<Response>,
  request: Request,
  options?: CallOptions,
): AsyncGenerator<Response> {
  let pageToken: string | undefined;
  do {
    const page = await list({ ...request, pageToken }, options);
    yield page;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}
