/** Writes whose models do not answer (D28). */
import { expect, test } from "vitest";
import { list, plan, says, unique, write } from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

test.each(["content", "messages"])("D28, 7 status 503: nothing is stored (%s)", async (mode) => {
  const caller = await spec.service.createAccount();
  const text = unique("No model");
  if (mode === "content") spec.script.vectors.set(text, unavailable);
  else spec.script.extractions.set(text, unavailable);
  const answer = await write(
    caller,
    mode === "content" ? { content: text } : { messages: [says(text)] },
  );
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({ detail: expect.any(String), reason: "model_unavailable" });
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
  expect((await plan(caller)).writes_used).toBe(0);
});

test("D28: an embedder that fails after the extraction stores none of the facts", async () => {
  const caller = await spec.service.createAccount();
  const opening = unique("Extracted but not embedded");
  const lost = unique("Lost fact");
  spec.script.extractions.set(opening, () => [{ decision: "Kept" }, { decision: lost }]);
  spec.script.vectors.set(lost, unavailable);
  expect((await write(caller, { messages: [says(opening)] })).status).toBe(503);
  expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
  expect((await plan(caller)).writes_used).toBe(0);
});
