import type { Migration } from "kysely/migration";
import * as tables from "./0001-tables.ts";
import * as shadowAndRestore from "./0002-shadow-and-restore.ts";
import * as embeddingSpaces from "./0003-embedding-spaces.ts";
import * as storedOnce from "./0004-stored-once.ts";
import * as erasedResponses from "./0005-erased-responses.ts";
import * as originalMessages from "./0006-original-messages.ts";
import * as earlyEnds from "./0007-early-ends.ts";
import * as searchTerms from "./0008-search-terms.ts";
import * as statedFacts from "./0009-stated-facts.ts";
import * as keyNames from "./0010-key-names.ts";
import * as extractedCategories from "./0011-extracted-categories.ts";
import * as metadata from "./0012-metadata.ts";
import * as filters from "./0013-filters.ts";
import * as suspendedAccounts from "./0014-suspended-accounts.ts";
import * as sessions from "./0015-sessions.ts";
import * as dailyUsage from "./0016-daily-usage.ts";
import * as decisions from "./0017-decisions.ts";
import * as dailyTokens from "./0018-daily-tokens.ts";
import * as rejectedFacts from "./0019-rejected-facts.ts";
import * as apiKeyUses from "./0021-api-key-uses.ts";
import * as providerSessions from "./0024-provider-sessions.ts";

/** Every migration by its name, in the order in which they run. Names never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-tables": tables,
  "0002-shadow-and-restore": shadowAndRestore,
  "0003-embedding-spaces": embeddingSpaces,
  "0004-stored-once": storedOnce,
  "0005-erased-responses": erasedResponses,
  "0006-original-messages": originalMessages,
  "0007-early-ends": earlyEnds,
  "0008-search-terms": searchTerms,
  "0009-stated-facts": statedFacts,
  "0010-key-names": keyNames,
  "0011-extracted-categories": extractedCategories,
  "0012-metadata": metadata,
  "0013-filters": filters,
  "0014-suspended-accounts": suspendedAccounts,
  "0015-sessions": sessions,
  "0016-daily-usage": dailyUsage,
  "0017-decisions": decisions,
  "0018-daily-tokens": dailyTokens,
  "0019-rejected-facts": rejectedFacts,
  "0021-api-key-uses": apiKeyUses,
  "0024-provider-sessions": providerSessions,
};
