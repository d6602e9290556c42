/** Bodies that nobody has to send a key with: small, few at once, and refused before they are read. */
import { expect, test } from "vitest";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";

const service = await forThisFile(startTestService());

function signIn(body: string): Promise<Response> {
  const path = "/agentmemory.dashboard.v1.SignInService/SignIn";
  return fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

const manyKeys = `{${Array.from({ length: 49_000 }, (_, index) => `"k${index}":1`).join(",")}}`;

test("a sign-in that no page of the dashboard sends is refused before its body is read", async () => {
  for (const body of [manyKeys, "[".repeat(1_000_000), "{}"]) {
    const answer = await signIn(body);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  }
});
