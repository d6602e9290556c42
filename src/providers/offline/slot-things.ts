import type { ToldClause } from "./slot-clauses.ts";
import { familiesIn, HELD_TOGETHER } from "./slot-words.ts";
import { contentOf, isNamedIn } from "./turning-points.ts";

/** A text states that somebody or something has, uses or is one of a family of names. */
const HAS =
  /^(?:.{1,60}?) (?:(?:has|is|still|now|just|mostly|always|usually|currently|only) )*(?:has|have|uses?|using|drives?|driving|rides?|owns?|on|runs?|running|works(?: (?:on|in|with))?|prefers|attends|codes? in|writes? (?:in|code in)|written in|built (?:with|in|on)|hosted (?:on|at|with|in)|deploys? (?:on|to|with)|deployed (?:on|to)|lives? (?:on|in)|stored in|stores? .{2,30} (?:on|in)|tracks? .{2,30} (?:in|with)|tracked in|takes? .{2,30} (?:in|with)|keeps? .{2,30} (?:in|on)|manages? .{2,30} (?:in|with)|banks? (?:with|at)|is with|shops? at|buys? .{2,30} (?:at|from)|listens? to .{2,30} (?:on|with)|chats? (?:on|via)|talks? (?:on|via)|plays?|playing|drinks?|likes|takes?|subscribes? to|subscribed to|pays? (?:for|with)|is|are|does|goes|gets|commutes?|travels?|cycles?|walks?|bikes?|reads? .{0,20}on|shoots? (?:with|on)|streams? .{0,20}on|browses? (?:with|in)|edits? in|communicates? (?:via|on)) (?<value>.+)$/u;
/** A text says that one is taken for another. */
const TAKES =
  /(?:switched|switching|upgraded|downgraded|moved|moving|changed|converted|migrated|migrating|ported|porting|rewrote|rewritten|rewrite|rebuilt|transitioned|jumped|defected|went over|gone over|made the (?:switch|jump|move)|cut over)(?: (?:the |their |his |her |its |the user's |our |all |everything|(?:our |the )?\p{L}+ ){0,4}?)?(?: ?(?:over|back|across|up|away|fully|completely|entirely))*(?: from (?<former>.+?))? ?(?<=\b)(?:to|into|onto|in|on) (?<value>.+)$/u;
const GETS =
  /(?:bought|got|picked up|ordered|purchased|treated .{3,12} to|went (?:with|for)|going with|chose|leased|now (?:has|have|own|owns|using|uses?|drives?|driving|on|with|runs?|running|rides?)|(?:is|are|was) (?:now |all )*(?:on|with|in)|works|new \p{L}+(?: \p{L}+)? is|is(?= (?:part|full)-time)|started using|adopted|uses?|drives?|driving|rides?|runs?|running (?:on)?|has|goes by|gets? (?:around|to work) by|plays?|drinks?) (?<value>.+)$/u;
const SUBJECT_IS = /^(?:everything|all of it|it all|it) is (?:now )?(?:on|in) (?<value>.+)$/u;

/** Words of a value that lead off it: "a Pixel because the iPhone died". */
const LEADS_OFF =
  /(?:,| because| since| after| so that| so| but| for (?:the|their|a)| instead| and| than)(?= |$).*$/u;

/** Whether the newer clause puts another name of a family in the place of one in the older text. */
export function takesItsPlace(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition) return false;
  const taken = TAKES.exec(newer.text)?.groups?.value;
  const gets = SUBJECT_IS.exec(newer.text)?.groups?.value ?? GETS.exec(newer.text)?.groups?.value;
  const isNew = newer.isNow || /\bnew\b/u.test(newer.text);
  const value = (taken ?? gets)?.replace(LEADS_OFF, "");
  const had = HAS.exec(older.text)?.groups?.value;
  if (value === undefined || had === undefined) return false;
  const before = familiesIn(had);
  for (const [family, name] of familiesIn(value)) {
    const known = before.get(family);
    if (known === undefined || known === family) continue;
    if (known === name && !isOtherModel(name, value, had)) continue;
    if (known !== name && isNamedIn(known, value)) continue;
    if (taken === undefined && (HELD_TOGETHER.has(family) || !isNew)) continue;
    if (family === "transport" && taken === undefined) continue;
    if (isOfOneThing(newer.text, older.text)) return true;
  }
  return false;
}

/** "Galaxy S25" and "Galaxy S21". */
function isOtherModel(name: string, now: string, before: string): boolean {
  const [a, b] = [now, before].map((text) => {
    const at = text.toLowerCase().indexOf(name) + name.length;
    return /^ (?:\p{L}+ )?(\p{L}{0,3}\d[\p{L}\d]*)/u.exec(text.slice(at))?.[1];
  });
  return a !== undefined && b !== undefined && a !== b;
}

/** Nothing tells the one's thing from the other's: "the API" is not "the web app". */
function isOfOneThing(newer: string, older: string): boolean {
  const [thing, had] = [thingOf(newer), thingOf(older)].map((each) => stemsOf(each ?? "")) as [
    Set<string>,
    Set<string>,
  ];
  const qualifiers = newer.match(QUALIFIER) ?? [];
  if (!qualifiers.every((qualifier) => older.includes(qualifier))) return false;
  if (thing.size === 0) return true;
  return had.size > 0
    ? thing.isSubsetOf(had) || had.isSubsetOf(thing)
    : !/^the user (?:has|drives?|rides?|owns?) /u.test(older);
}

/** What tells one of two things of a kind from the other. */
const QUALIFIER =
  /\b(?:staging|production|backup|spare|guest|company|personal|private|winter|weekend|work(?= (?:phone|laptop|computer|car|machine|email|account|pc|mac)))\b/gu;

/** "The API" of "the user has migrated the API to GraphQL" and of "the API uses REST". */
function thingOf(text: string): string | null {
  const moved =
    /(?:switched|moved|migrated|ported|converted|rewrote|rebuilt|changed|transitioned) (?:the |their |our |the user's |all |all of )+(?<thing>\p{L}[\p{L} ]{1,30}?) (?:over |back )?(?:from|to|in|into|on)\b/u.exec(
      text,
    )?.groups?.thing;
  const subject =
    /^(?:the user's |the |our )?(?<thing>(?!the user\b|user\b|it\b|they\b|everything\b|all\b)\p{L}[\p{L} -]{1,30}?) (?:is|are|was|runs?|uses?|has|have|lives?|deploys?|now|moved|switched|migrated|went|got|upgraded|changed|stores?)\b/u.exec(
      text,
    )?.groups?.thing;
  const own =
    /^the user (?:\p{L}+ )*(?:uses?|has|stores?|tracks?|takes?|keeps?|manages?|deploys?) (?:the |their )?(?<thing>\p{L}+)(?: \p{L}+)? (?:in|on|with|for)\b/u.exec(
      text,
    )?.groups?.thing;
  return moved ?? subject ?? own ?? null;
}

const KIND_OF_THING =
  /^(?:phone|laptop|car|comput|team|compani|startup|work|current|new|main|machin|bike|vehicl|bank|editor|browser)$/u;

function stemsOf(thing: string): Set<string> {
  return new Set(
    contentOf(thing)
      .map(({ stem }) => stem)
      .filter((stem) => !KIND_OF_THING.test(stem)),
  );
}

/** Whether a clause names a favourite, another way to work, an address or another name of a kind. */
export function tellsOfThing(clause: ToldClause): boolean {
  const taken = TAKES.exec(clause.text)?.groups?.value;
  return (
    (taken !== undefined && familiesIn(taken).size > 0) ||
    favouriteOf(clause.text) !== null ||
    (clause.isNow && TO_WORK.test(clause.text) && modeOf(clause.text) !== null) ||
    (clause.isNow &&
      CONTACTS.some(([named, value]) => named.test(clause.text) && value.test(clause.text)))
  );
}

/** How somebody gets to work, school or around. */
const BY_FOOT_OR_WHEEL: readonly (readonly [mode: string, pattern: RegExp])[] = [
  [
    "bicycle",
    /\b(?:bikes?|cycles?|biking|cycling|bicycles?|by (?:e-?)?bike|rides? (?:a|the|their|the user's|his|her) (?:e-?)?bike|takes? the (?:e-?)?bike|pedals?)\b/u,
  ],
  ["foot", /\b(?:walks?|walking|on foot)\b/u],
  ["car", /\b(?:drives?|driving|by car|takes? the car|carpools?|carpooling)\b/u],
  ["bus", /\b(?:bus|buses)\b/u],
  ["train", /\b(?:train|commuter rail|s-bahn|rer)\b/u],
  ["metro", /\b(?:metro|subway|underground|tube|u-bahn)\b/u],
  ["tram", /\b(?:tram|streetcar|light rail)\b/u],
  ["ferry", /\b(?:ferry|boat)\b/u],
  ["scooter", /\b(?:scooter|moped|vespa|motorbike|motorcycle)\b/u],
];
const TO_WORK =
  /\b(?:to (?:the )?(?:work|office|campus|school|university|uni|college|class|town|job|lab|shop|studio|site|station)|commut\p{L}+|get(?:s|ting)? (?:around|about|there|in)|go(?:es|ing)? (?:around|in))\b/u;

/** Whether both say how the same person gets to work, and differently. */
export function travelsOtherwise(newer: ToldClause, older: ToldClause): boolean {
  const isMarked = newer.isNow || /\b(?:started|switched|stopped)\b/u.test(newer.text);
  if (/\b(?:sometimes|occasionally|on \p{L}+days?|when|once)\b/u.test(newer.text)) return false;
  if (!isMarked || newer.isAddition || !TO_WORK.test(older.text)) return false;
  if (
    !TO_WORK.test(newer.text) &&
    !/\b(?:bus|tram|train|car|bike|metro|subway|ferry)\b/u.test(newer.text)
  )
    return false;
  if (/\b(?:took|take|taken) an? (?:taxi|cab|uber)\b|\b(?:sold|bought)\b/u.test(newer.text))
    return false;
  const [now, before] = [modeOf(newer.text), modeOf(older.text)];
  return now !== null && before !== null && now !== before;
}

function modeOf(text: string): string | null {
  const said = text.replace(/\b(?:instead of|rather than|not|no longer|no more|anymore) .*$/u, "");
  return BY_FOOT_OR_WHEEL.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}

const FAVOURITE = [
  /^(?<who>.{1,30})'s (?:new |current |all-time |absolute )*(?:favou?rite|go-to|preferred) (?<what>[\p{L} -]{2,30}?)(?: has changed to| changed to| became| is| are)(?: now)? (?<value>.+)$/u,
  /^(?<value>.{2,40}?) (?:is|are|became|has become|have become)(?: now)? (?<who>the user|\p{L}+)'s (?:new |current |all-time |absolute )*(?:favou?rite|go-to|preferred) (?<what>[\p{L} -]{2,30}?)(?: now| these days| again)?$/u,
];

/** "Green is my favourite colour now" and "my favourite colour is blue". */
export function hasOtherFavourite(newer: ToldClause, older: ToldClause): boolean {
  const [a, b] = [favouriteOf(newer.text), favouriteOf(older.text)];
  return (
    a !== null &&
    b !== null &&
    a.who === b.who &&
    a.what === b.what &&
    !newer.isAddition &&
    !isNamedIn(a.value, b.value) &&
    !isNamedIn(b.value, a.value)
  );
}

function favouriteOf(text: string) {
  for (const pattern of FAVOURITE) {
    const { who, what, value } = pattern.exec(text)?.groups ?? {};
    if (who === undefined || what === undefined || value === undefined) continue;
    const bare = value.replace(/ (?:now|these days|nowadays|lately|again)$/u, "");
    return { who, what: what.replace("colour", "color"), value: bare };
  }
  return null;
}

const CONTACTS: readonly (readonly [named: RegExp, value: RegExp])[] = [
  [
    /\b(?:e-?mail|mail|reach|write|contact|address)\b/iu,
    /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/u,
  ],
  [/\b(?:phone|number|mobile|cell|call|reach|text|tel\p{L}*)\b/iu, /\+?\d[\d ()/.-]{5,}\d/u],
];
const OF_A_PART =
  /\b(?:work|office|business|private|personal|home|school|company|emergency|second|backup|billing|account|order|fax|landline|card|room|flight|ticket|reference)\b/iu;

/** "I've got a new number: …" and "the user's phone number is …". */
export function isReachedOtherwise(newer: ToldClause, older: ToldClause): boolean {
  if (newer.isAddition || !(newer.isNow || /\bnew\b|changed/iu.test(newer.text))) return false;
  if (OF_A_PART.exec(newer.text)?.[0] !== OF_A_PART.exec(older.text)?.[0]) return false;
  return CONTACTS.some(([named, value]) => {
    const [now, before] = [value.exec(newer.text)?.[0], value.exec(older.text)?.[0]];
    return (
      now !== undefined &&
      before !== undefined &&
      now !== before &&
      named.test(newer.text) &&
      named.test(older.text)
    );
  });
}
