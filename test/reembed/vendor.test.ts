/** The move as an operator makes it: by configuration, from the local model to a vendor's. */
import { expect, onTestFinished, test } from "vitest";
import { createAdminClient } from "../../src/cli/client.ts";
import { reembed } from "../../src/cli/reembed-command.ts";
import { choiceOf, startFakeVendor } from "../providers/service/vendors.ts";
import { LOCAL_MODELS, startTestService } from "../support/service.ts";

test("from the local model to a vendor's, and what is written meanwhile", async () => {
  const name = "openai";
  const vendor = await startFakeVendor(name);
  onTestFinished(() => vendor.close());
  const choice = choiceOf(name, vendor);
  const models = {
    ...choice,
    chat: LOCAL_MODELS.chat,
    embeddings: LOCAL_MODELS.embeddings,
    nextEmbeddings: choice.embeddings,
  };
  const service = await startTestService({ config: { models } });
  onTestFinished(() => service.close());
  const { rest } = await service.createAccount();
  const remember = async (content: string) => {
    const { body } = await rest("POST", "/agent/memories", { body: { content } });
    return body.memory_id;
  };
  const ids = [await remember("Alice is allergic to peanuts"), await remember("Bob plays chess")];

  const admin = createAdminClient({ host: "127.0.0.1", port: service.adminPort, token: null });
  const options = { rate: 100, progress: () => {}, wait: async () => {} };
  expect(await reembed(admin, options)).toMatch(new RegExp(`^done: .+ ${name}/`));
  ids.push(await remember("Carol lives in Oslo"));

  for (const id of ids) {
    const { body } = await rest("GET", `/memories/${id}/audit`);
    expect(body.embedding.provider).toBe(name);
  }
  const question = { question: "What is Alice allergic to?", limit: 100 };
  const { body } = await rest("POST", "/agent/query", { body: question });
  expect(body.memories.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
});
