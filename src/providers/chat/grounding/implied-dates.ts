import type { PartialDate } from "@agent-memory/text/dates";
import { casual as german } from "chrono-node/de";
import { casual } from "chrono-node/en";
import { casual as spanish } from "chrono-node/es";
import { casual as french } from "chrono-node/fr";
import { casual as italian } from "chrono-node/it";
import { casual as japanese } from "chrono-node/ja";
import { casual as dutch } from "chrono-node/nl";
import { casual as portuguese } from "chrono-node/pt";
import { hans, hant } from "chrono-node/zh";
import { type Instant, splitInstant } from "../../../domain/instant.ts";

const LANGUAGES = [casual, german, spanish, french, italian, japanese, dutch, portuguese];

/** What the dates and the phrases of relative time in a text may mean at a time: "gestern", "来月". */
export function impliedDates(text: string, at: Instant): PartialDate[] {
  const from = { instant: new Date(Number(splitInstant(at).seconds) * 1000), timezone: "UTC" };
  return [...LANGUAGES, hans.casual, hant.casual]
    .flatMap((language) => language.parse(text, from))
    .flatMap(({ start }) => {
      const has = (part: "year" | "month" | "day" | "weekday") => start.isCertain(part);
      const [year, month, day] = [start.get("year"), start.get("month"), start.get("day")];
      if (year === null || month === null || day === null) return [];
      if (has("day") || has("weekday")) return { year, month, day };
      return has("month") ? { year, month } : has("year") ? { year } : [];
    });
}
