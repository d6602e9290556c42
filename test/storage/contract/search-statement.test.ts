import { CompiledQuery } from "kysely";
import { describe, expect, test } from "vitest";
import { toCompanyId } from "../../../src/domain/ids.ts";
import { toParameter, vectorOf } from "../../../src/storage/column-values.ts";
import { searchStatement } from "../../../src/storage/memory-search.ts";
import { indexedScope, type SearchScope, scopeOf } from "../../../src/storage/search-scope.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { ANY_SEARCH, inTestSpace, NOW, TEST_SPACE_ID } from "./fixture.ts";
import { useStorage } from "./storage.ts";

const COMPANY = toCompanyId("company-1");
const SEARCH = {
  ...ANY_SEARCH,
  tenantIds: ["tenant-1"],
  vector: inTestSpace([0.5, 0.5, 0.5, 0.5]),
  terms: [101, 202, 303],
};
const INDEX = { companyId: COMPANY, tenantId: "tenant-1", spaceId: TEST_SPACE_ID };

/** The whole text of each search, so that a reader has it and a database can explain it. */
describe.for(TEST_ENGINES)("the statement of a search on %s", (engine) => {
  const contract = useStorage(engine);

  test.for<{ file: string; what: string; scope: SearchScope }>([
    {
      file: "search.sql",
      what: "All current memories of a tenant.",
      scope: scopeOf(COMPANY, SEARCH),
    },
    {
      file: "search-filtered.sql",
      what: "The memories of some sources and a topic, as they were known and held at two moments.",
      scope: scopeOf(COMPANY, {
        ...SEARCH,
        sources: ["agent", "crm"],
        topic: "Home",
        knownAt: NOW,
        asOf: NOW,
      }),
    },
    {
      file: "search-of-tenants.sql",
      what: "All current memories of two tenants, of which one has an index of its own.",
      scope: indexedScope(COMPANY, { ...SEARCH, tenantIds: ["tenant-1", "tenant-2"] }, [INDEX]),
    },
    {
      file: "search-by-index.sql",
      what: "The memories that an index of the tenant's own finds.",
      scope: indexedScope(COMPANY, SEARCH, [INDEX]),
    },
  ])("$file", async ({ file, what, scope }) => {
    const { vector, terms, limit } = SEARCH;
    const question = { vector: vector.vector, terms, wordsWeight: 0.3, limit };
    const { sql: text, parameters } = searchStatement(scope, question).compile(contract.db);
    const shown = (value: unknown) => (value instanceof Uint8Array ? [...vectorOf(value)] : value);
    const values = parameters.map(
      (value, i) => `-- $${i + 1} = ${JSON.stringify(toParameter(shown(value)))}`,
    );
    const golden = [`-- ${what} The question has three terms.`, ...values, "", `${text};`, ""];
    await expect(golden.join("\n")).toMatchFileSnapshot(`../../golden/${file}`);
    const explained = CompiledQuery.raw(`explain ${text}`, [...parameters]);
    const { rows } = await contract.db.executeQuery(explained);
    expect(rows.length).toBeGreaterThan(1);
  });
});
