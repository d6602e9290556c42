import { isPastVerb, readStatement } from "@agent-memory/text";
import { isNamedIn } from "./terms.ts";
import type { ToldClause } from "./told-clauses.ts";
import { PERSON, RELATED, whomOf } from "./whom.ts";
import { written } from "./wordings.ts";

/** Words by which a text names what is no longer so, and what states that may be. */
interface Ending {
  /** Its group `former` is what is over; `value`, what holds instead. */
  readonly said: readonly RegExp[];
  /** Of the older text. */
  readonly state: RegExp;
  /** In a sentence: the new fact … */
  readonly why: string;
}

/**
 * By which words a text names what is no longer so. A heading says what the new fact then does,
 * and whether capitals count. "ends" is what the older text must state. Each further line is a
 * way to say it. Angle brackets hold a shared wording (`wordings.ts`).
 */
const ENDINGS = String.raw`
# names what it replaces, any case
ends: ^<affirmed>
\b(?:instead of|rather than|in place of|and no longer|and not) (?<former>[^,;]+?)(?: any ?more| now|$)
\b(?:replaced|replacing|replaces|swapped(?: out)?|traded(?: in)?|exchanged|ditched|(?:dropped|left|abandoned|dumped|sold|retired|gave up|quit)(?!.* (?:with|by) )) <its><former>(?: in)? (?:for|with|by|in favou?r of|to get|to buy) (?!lunch|dinner|breakfast|work|home|good|vacation|school|now|an? (?:walk|while|run|meeting|day|week|break|drink|moment)|the (?:day|night|weekend|week|airport|evening))(?<value>.+)
\b(?:moved|migrated|switched|changed|(?:went|gone)(?= (?:up|down|back|over|from \d|from \p{Ll}))|converted|slipped|transitioned|ported|upgraded|downgraded|pushed|shifted|raised|cut|increased|decreased|dropped|grown?|grew|shrank|bumped|renamed)\b[^,;]{0,50}? from <its>(?<former>[^,;]{1,40}?) (?:to|into|onto) (?<value>.+)
^<its>(?<former>[^,;]{2,30}?) (?:is|has been|was|got|has) (?:finally |just |completely |now |all )*(?:gone|sold|history|scrapped|no more|decommissioned|shut down|retired|cancell?ed|dead)$
^(?!.* (?:at night|on \p{L}+days|in the \p{L}+s)$).*\b(?:gave up|given up|abandoned|packed in|(?:stopped|dropped)(?! (?:(?:the|an?|their|at|by|for|in|to) |\p{Ll}+ing$))|quit|(?:does|do) not use(?=.* any ?more)|(?:done|finished|through) with|deleted|called off|broke off|paid back|(?:dropped|pulled|backed) out of|withdrew from|(?:re(?:signed|tired)|stepped down) (?:from|as)) (?:doing |going to |learning |playing |studying |using |with |on )*<its><former><end>
\b(?:no more|no(?= .+ any ?more)|gone off|went off|can not stand) <its><former>(?: for the user)?(?: these days| now)?<end>
# says that it is gone
ends: ^<affirmed>(?:the user booked\b|.*'s (?:gym|club|bank|phone|laptop|computer|car|bike|scooter|provider|carrier|insurance|editor|browser|console|camera|van|boat|dog|cat) is\b|.{1,60}? (?:has|have|owns?|drives?|rides?|uses?|subscribes|pays for|is subscribed|reads on|orders|plays|shops at|lives? (?:in|on|at|with)|sleeps (?:in|on)|spends|runs?|is (?:built|written) (?:on|with|in)|keeps|takes|wears|collects|(?:bank|shoot|heat|cook|pay)s with)\b|.* is (?:on the market|for sale|an? (?:\p{L}+ )?(?:member|subscriber))\b)
^<someone> <did>(?:sold|closed(?= .*account)|gave away|got rid of|rid of|donated|scrapped|crashed|wrecked|traded(?: in)?|swapped|rehomed|ripped out|threw (?:out|away)|tossed|chucked|binned|ditched|dumped|returned|replaced|retired|cancell?ed|deleted|uninstalled|stopped using|moved (?:away from|out of|off)|migrated (?:away )?(?:from|off)|phased out|unsubscribed from|parted with|lost|done with|finished with|over|stole|left|gave up|quit|shaved off|paid off(?= .*(?:mortgage|loan|debt|credit))|took down|tore down|(?:had to )?(?:say|said) goodbye to|(?:had to )?put(?: down|(?=.* (?:down|to sleep)))) <its>(?<former>[^;]+)
^<someone> <did>(?:gave|sold|returned|donated|(?:had to )?give) <its>(?<former>.+?)(?= (?:to|away)\b)
^<its>(?<former>(?!user\b).{2,40}?) (?:has |have |was |were |is |are |got |just |finally |been )*(?:went to (?:the user's|(?:the |a )?(?:scrap|charity|friend|new (?:home|owner)))|died|broke(?! down)|gave up the ghost|packed it in|with (?:the user's|their) \p{L}+ now|crossed the rainbow bridge|(?:came off|fell out|ran out)(?! (?:of|an?|the|their)\b)|expired|passed(?: away| on)?(?= ?(?:$|,|over|on|in|last|this|yesterday|peacefully|at|away)))(?![\p{L}])
^<its>(?<former>(?!user\b).{2,40}?) (?:was|were|is|are|got|been|has been) (?:just |finally |all |now )*(?:gone|sold|stolen|scrapped|given away|donated|broken(?! into)|totall?ed|removed|healed|taken (?:off|out)|put (?:down|to sleep))(?![\p{L}])
# says that it is done
ends: \b(?:is|are|has been|have been) (?:still )?(?:writing|working on|training for|building|reading|watching|preparing|renovating|learning|doing|taking|making|knitting|painting|restoring|planning|organi[sz]ing|looking for|studying for|paying off|saving (?:up )?for|playing|listening to|decorating|fixing|repairing|moving|migrating|refactoring|rewriting)\b|\b(?:watches|reads)\b|\b(?:is|are) (?:still )?(?:ongoing|under way|in progress|running|being \p{L}+ed)\b
^<someone> <did>(?:finished|completed|ended|cancell?ed|ran|sat|wrapped up|paid off|passed|aced|submitted|handed in|defended|published|launched|shipped|gave up on|done with) <its>(?<former>[^;]+)
^<its>(?<former>.{2,40}?) (?:(?:is|are|was|has been|has) )?(?:finally |now |all |completely )*(?:finished|done|over|complete|completed|ready|off(?! \p{L}))(?![\p{L}])
# says that they left
ends: \b(?:works? (?:at|for|in)|employed|plays? |sings? |is (?:in|at|with|part of|an? (?:active )?member of|on)|lives? in|studies|goes to|attends?|belongs to|is (?:married|engaged) to|is (?:the|an?) (?:\p{L}+ )?\p{L}+|trains? (?:at|with)|volunteers?|drums|dances)\b
^<someone> <did>(?:left|quit|no longer (?:works|helps|serves|volunteers) (?:at|for|with)|graduated from|resigned (?:from|as)|stepped down (?:from|as)|handed in (?:their|his|her|the user's) (?:notice|resignation|badge) at) <its>(?!.* (?:at (?:\d|(?!the |an? |their )\p{Ll}+)|early|late)\b)(?<former>.+?)(?: job)?$
# says that they are gone
ends: ^the user(?: (?:shares?|lives?) .*with (?:their \p{Ll}+ )?|'s (?:best )?(?:flat-?mate|room-?mate|boss|landlord|landlady|neighbour|assistant|coach|[\p{Ll}-]+(?:(?<!th|st|ht)er|or|ist)) is (?:called )?)\p{Lu}
^(?<former>\p{Lu}\p{L}+) <did>(?:moved (?:out|away)|quit|left|retired|resigned|out(?=$|,| of)|gone)(?! (?:smoking|early|late|at|for (?!good)|(?:his|her|their) (?!job|post)))
# says that it does not take place then
ends: \b(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?|January|February|March|April|May|June|July|August|September|October|November|December|at \d|\d{1,2}(?:st|nd|rd|th)|\d{4}-\d\d|noon|today|tomorrow|morning|afternoon|evening)\b
^<its>(?<former>.{2,60}?) (?:(?:was|were|is|are|has been|have been|got) (?:just |now )?)?(?:postponed|rescheduled|delayed|extended|prolonged|renewed|pushed|slipped|brought forward|off$|moved(?= .*(?:(?<!room |hall |floor )\d|days?\b|noon|morning|evening|night|week|month|year|spring|summer|autumn|winter|January|February|March|April|May|June|July|August|ember\b|October))|cancell?ed|called off)(?![\p{L}])
^(?:the user|they) (?:has |have |had |just )*(?:cancell?ed|called off|postponed|rescheduled|delayed|extended|prolonged|renewed|pushed|moved) <its>(?<former>.{2,60}?)(?= (?:to(?!.* to )|from|until|till|by|back|as)\b|$)
# says that it is reached
ends: \b(?:wants?|hopes?|plans?|intends?|rents?|shares?|(?:is|are) (?:still )?(?:looking|waiting|saving(?: up)?|hoping|planning|applying|studying|training|preparing|learning|trying)|on (?:the|a) waiting list)\b
^(?!It )<someone> (?!ha(?:s|ve) got)<did>(?:has|had|got|bought|found|passed|received|learned|learnt|landed|adopted|obtained|started) (?:to )?<the><former>(?= (?:in|at|on|with|from|for|last|this|since|as|done)\b|[,;]|$)
# says that it is mended
ends: \b(?:hurts|broken|cracked|down|blocked|pending|un(?:paid|\p{Ll}+ed)|open|late|leaking|stuck|vacant|suspended|owes|behind (?:on|with)|out of order|(?:under|in) (?:negotiation|repair|review)|(?:has|have) (?:an? )?(?:\p{L}+ )?(?:bug|problem|fault|crack|leak|flat \p{L}+))\b
^<its><former> (?:(?:is|are|was|were|ha(?:s|ve) been|got|now|finally) )+(?:fixed|repaired|resolved|solved|replaced|mended|restored|closed(?! (?:on (?:\p{Lu}|\d+ )|for|in|at|until))|approved|paid|filled|signed|healed|back|green|up(?! for)|working|fine again)\b
^<someone> <did>(?:(?:fixed|repaired|resolved|solved|replaced|mended|restored|closed|approved|appointed|elected|paid|settled|signed|filled) <its><former>|<its><former> (?:fixed|repaired|replaced|mended)|got <its><former> (?:back|working))(?: again| back)?<end>
# says that it is over
ends: ^(?:.{2,60}?) (?:is|are) (?:still )?(?:off|out|down|away|missing|closed(?! on \p{Lu})|paused|suspended|blocked by|on (?!\p{Lu}|the\b))\b
^(?:[Ww]ork on )?<its><former> (?:(?:is|are|was|has|came|went)(?: been| now| finally)* (?:back|home|resolved|off(?! \p{L}))|<did>re(?:opened|started|sumed))\b
# says that they are back
ends: ^(?:.{2,60}?) (?:is|are) (?:still )?(?:in|at(?! \p{Lu}))\b
^<its><former> (?:is|are|was|has|came|went)(?: been| now| finally)* (?:back|(?:back )?home|(?<=came )off)(?: (?:again|now|since|on|yesterday|last|this|today)\b.*)?$
^<someone> <did>(?:(?:(?:discharged|released|back|home) from|out of) <its><former>|got <its><former> back)<end>
# says what it is like now
ends: ^<affirmed>(?:(?:.*'s|[Tt]he) [\p{L} ]+ (?:is|are) (?:painted |dyed )?\p{L}+$|.{1,40}? (?:has|have) (?:an? )?\p{L}+ \p{L}+$|.*\p{Lu}\S* \d[\d.]*(?:$|[ ,](?!\p{Lu})))
^<someone> <did>(?:dyed|painted|coloured|repainted|shaved|(?:cut|trimmed)(?=.* short)) <its><former>(?: \p{L}+)?(?: (?:at|on|in|last|this|yesterday|today|over)\b.*)?$
# says what it is called now
ends: \b(?:called|named)\b|'s name is\b
^<someone> <did>renamed <its><former> (?:to|as) .+$
^<its><former> (?:now )?(?:(?:is |was |got )?(?:renamed|now called)|(?<=\bnew .+ )(?:is|was) called|goes by|is (?:now )?known as|(?:was |got )?rebranded (?:as|to)) .+$
`;

export const CIRCUMSTANCE =
  /(?:,(?!\d)| (?:to(?! \p{Lu})|for (?:\d|\p{Sc}|good|now|everybody|everyone|all)|and|last|this|yesterday|today|(?:on|in|at|from) (?=\d|(?:Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|the (?:spring|summer|autumn|fall|winter|morning|afternoon|evening|end|week)|spring|summer|autumn|fall|winter|noon|midnight|night))|because|after|since|so|but|again|now|each|without)\b| (?:account|subscription|membership)$).*$/u;
/** "Left the office at 5", "lost to the red team". */
const FOR_TODAY = /\bleft .* (?:at (?:\d|noon|midnight)|early|late)\b|\blost to\b/u;
const PLACE = / (?:in|on|at) .+$/u;
/** "Has a sister in Rome" stays so whoever leaves Rome. */
const HAS_SOMEBODY = new RegExp(
  `\\bha(?:s|ve) (?:an? |two |three |the )(?:\\p{L}+ )?${PERSON}(?![\\p{L}])(?! (?:called|named))`,
  "u",
);

const KNOWN: readonly Ending[] = ENDINGS.trim()
  .split(/^# /mu)
  .filter(Boolean)
  .map((lines) => {
    const [heading = "", ends = "", ...said] = lines.trim().split("\n");
    const flags = heading.includes(", any case") ? "iu" : "u";
    return {
      said: said.map((words) => new RegExp(written(words), flags)),
      state: new RegExp(written(ends.replace("ends: ", "")), "u"),
      why: heading.replace(/, .*$/u, ""),
    };
  });

/** Why an older text no longer holds, of which the newer one names what is over; null: it names nothing of it. */
export function overInWords(newer: ToldClause, older: ToldClause): string | null {
  if (newer.isAddition || FOR_TODAY.test(newer.text)) return null;
  if (!mayBeOfOne(newer.text, older.text)) return null;
  for (const { said, state, why } of KNOWN) {
    if (!state.test(older.text)) continue;
    for (const pattern of said) {
      const { former, value } = pattern.exec(newer.text)?.groups ?? {};
      if (former === undefined) continue;
      const told = former.replace(CIRCUMSTANCE, "");
      // "Sold the boat in Kiel", of any boat; "left the boat in Kiel", and "has a boat in Ulm".
      const isThere = PLACE.test(older.text) || /\bleft\b/u.test(newer.text);
      const named = isThere ? told : told.replace(PLACE, "");
      // The old one must be what is stated, not whom or what it is stated of.
      if (value !== undefined && isNamedIn(value.replace(CIRCUMSTANCE, ""), older.text)) continue;
      if (!isNamedIn(named, older.text) || isOfSomebody(named, older.text)) continue;
      // Who left Acme says nothing of what Acme does.
      const isLeft = /\b(?:left|quit|gave up|stopped|resigned)\b/u.test(newer.text);
      const text = older.text.toLowerCase().replace(/^the /u, "");
      if (isLeft && text.startsWith(`${named.toLowerCase()} `)) continue;
      // Of "the piano and the cello" one alone is not all.
      const [, one = "", other = ""] = / \p{Ll}+s (.+?) and (.+)$/u.exec(older.text) ?? [];
      const { words, subjectWords, verbAt } = readStatement(older.text);
      // The kickoff is not the kickoff dinner.
      const subject = words.slice(0, Math.max(subjectWords, 0)).map(({ text }) => text);
      const isOfSubject = isNamedIn(named, subject.join(" "));
      if (isOfSubject && !isNamedIn(subject.at(-1) ?? "", former)) continue;
      // Who broke a record still has a bike, and a broken phone is a Pixel.
      if (isOfSubject && LASTS.test(newer.text) && !/ is (?:the )?\p{Ll}+ing\b/u.test(older.text))
        continue;
      const isPast = isPastVerb(words[verbAt]?.key ?? "") && !/ booked /u.test(older.text);
      if (isNamedIn(named, one) === isNamedIn(named, other) && !isPast) return why;
    }
  }
  return null;
}

/** What is still there, or somebody, whatever happened to it. */
const LASTS = /\b(?:broken?|expired|passed(?! away)|gone for|removed|healed|sold on|taken)\b/u;

/** "Left Padua" and "has a sister in Padua". */
function isOfSomebody(named: string, older: string): boolean {
  const [who] = HAS_SOMEBODY.exec(older) ?? [];
  return who !== undefined && !/\b(?:dog|cat)s?\b/u.test(older) && !isNamedIn(named, who);
}

/** What is said of somebody is of them; what is said of a thing, of whoever has it. */
export function mayBeOfOne(newer: string, older: string): boolean {
  // What the user has is told of as theirs: "the user's cat is called Minka".
  const whom = (text: string) => whomOf(text.replace(/^the user's (?=(?:dog|cat)\b)/u, "the "));
  const now = /^(?:somebody|they)\b/u.test(newer) ? null : whom(newer);
  const before = whom(older);
  if (now === null || before === null)
    return (
      before === null ||
      before.role === "the user" ||
      isNamedIn(before.name ?? before.role ?? "", newer)
    );
  const isSame =
    now.name !== null && before.name !== null ? now.name === before.name : now.role === before.role;
  return isSame || (now.name !== null && isNamedIn(now.name, older) && !RELATED.test(older));
}

/** What only the conversation shows. */
export const POINTING = /^(?:it|its|that|this|they|there|these|those|the user)(?= |$)/u;

/** Whether a clause of the user's names something that is over. */
export function tellsOfEnd({ text }: ToldClause): boolean {
  const isOwn = (whomOf(text)?.role ?? "the user") === "the user";
  return (
    isOwn &&
    KNOWN.some(({ said }) =>
      said.some((pattern) => !POINTING.test(pattern.exec(text)?.groups?.former ?? "it")),
    )
  );
}
