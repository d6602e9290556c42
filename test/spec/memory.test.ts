/** One memory by its ID (D42). */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  expectFailure,
  expectOk,
  list,
  memory,
  remember,
  rememberMany,
  supersede,
} from "./calls.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

test("D42: the memory object, as a list has it", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account, "Ada lives in Paris", { tenant_id: "t", topic: "Home" });
  await remember(account, "Bo lives in Rome", { tenant_id: "t" });
  const { memories } = await list(account, { tenant_id: "t" });
  expect(await memory(account, id)).toEqual(memories[1]);
});

test("D42: also once it was superseded", async () => {
  const account = await spec.service.createAccount();
  const [old = "", fresh = ""] = await rememberMany(account, 2);
  expectOk(await supersede(account, old, { superseded_by: fresh }));
  expect(await memory(account, old)).toMatchObject({
    id: old,
    superseded_by: fresh,
    temporal: { is_current: false, is_superseded: true },
  });
});

test("D42: 404 for one that does not exist, 403 for another account's, 422 for what is no UUID", async () => {
  const account = await spec.service.createAccount();
  const other = await spec.service.createAccount();
  const theirs = await remember(other, "Bo lives in Rome");
  const get = (id: string) => account.rest("GET", `/memories/${id}`);
  expectFailure(await get(randomUUID()), 404, "memory_not_found");
  expectFailure(await get(theirs), 403, "not_owner");
  expectFailure(await get("7"), 422, "invalid_field");
});

test("D42: a memory is only read there: there is no deletion of one memory", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account, "Ada lives in Paris");
  for (const method of ["DELETE", "PATCH", "PUT", "POST"]) {
    const answer = await account.rest(method, `/memories/${id}`);
    expectFailure(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("GET");
  }
});
