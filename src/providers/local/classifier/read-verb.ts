import { readChange, readTransfer } from "./readers/changes.ts";
import { readDisliking, readLiking, readPreferring, readUsing } from "./readers/choices.ts";
import {
  readCancelling,
  readExpiring,
  readGivingUp,
  readGraduating,
  readParting,
  readSeparating,
} from "./readers/endings.ts";
import { readJoining, readLeaving, readTakingJob, readWork } from "./readers/jobs.ts";
import { readPlace } from "./readers/places.ts";
import {
  readBecoming,
  readBeing,
  readGetting,
  readMarrying,
  readTurning,
} from "./readers/states.ts";
import {
  isTimed,
  mentions,
  type Reader,
  type Reading,
  UNREAD,
  type VerbPhrase,
  verbPhraseOf,
} from "./reading.ts";
import { subjectOf } from "./subject.ts";
import type { Clause } from "./verb-group.ts";

/** The object is the value of an attribute of its own name. */
function objectIs(attribute: string): Reader {
  return ({ object }) => [{ attribute, value: object }];
}

function unless(preposition: null, reader: Reader): Reader {
  return (phrase) => (phrase.preposition === preposition ? reader(phrase) : UNREAD);
}

function after(preposition: string, reader: Reader): Reader {
  return (phrase) => (phrase.preposition === preposition ? reader(phrase) : UNREAD);
}

/** "quit smoking" negates what "smokes" states. */
const readStopping: Reader = (phrase) => {
  const [first, ...rest] = phrase.complement;
  const ing = first?.folded ?? "";
  if (!ing.endsWith("ing")) return [...readLeaving(phrase), ...readGivingUp(phrase)];
  const clause = { ...phrase, verb: baseOfIng(ing), complement: rest };
  return readVerb(clause).map((reading) => ({ ...reading, isNegated: true, isChange: true }));
};

/** "The contract was extended to 2027": its end moved. */
const readExtending: Reader = (phrase) => {
  const [reading] = readChange(phrase);
  return reading === undefined ? UNREAD : [reading, { ...reading, attribute: "until" }];
};

/** "Was rewritten in Rust". */
const readRewriting: Reader = ({ preposition, object }) =>
  preposition === null
    ? UNREAD
    : [{ attribute: `verb:write ${preposition}`, value: object, isChange: true }];

/** "The flight leaves at 7:40" ends nothing. */
function isDeparture({ subject, preposition, complement }: VerbPhrase): boolean {
  return preposition !== null || isTimed(complement) || !subjectOf(subject).isPerson;
}

/** "The standup starts at 10": so that is when it is. */
const readBeginning: Reader = ({ subject, object }) =>
  isTimed(object) && !subjectOf(subject).isPerson ? [{ attribute: "is", value: object }] : UNREAD;

/** "Bob leads the team": the team has one lead. */
const readLeading: Reader = ({ subject, complement }) =>
  mentions(complement.slice(0, 1), /^(?:the|our|my)$/u) || complement[0]?.isPossessive === true
    ? [{ attribute: "led by", subject: complement, value: subject }]
    : UNREAD;

/** What verbs say of their subject; of several readers the first that knows the phrase counts. */
const READERS: readonly (readonly [verbs: string, ...readers: Reader[]])[] = [
  ["be", readBeing],
  ["live sit reside settle relocate base locate headquarter", readPlace],
  ["move", readPlace, readChange],
  ["work", readWork],
  ["employ hire", (phrase) => (phrase.isPassive ? objectIs("employer")(phrase) : UNREAD)],
  ["join", readJoining],
  ["leave", (phrase) => (isDeparture(phrase) ? UNREAD : readLeaving(phrase))],
  ["quit stop", readStopping],
  ["become", readBecoming],
  [
    "promote",
    ({ isPassive, ...phrase }) => (isPassive ? readBecoming({ isPassive, ...phrase }) : UNREAD),
  ],
  ["get", readTakingJob, readGetting],
  ["take accept have", readTakingJob],
  ["start", readTakingJob, readBeginning],
  ["turn", readTurning],
  [
    "rename",
    after("to", ({ object }) => [{ attribute: "name", value: object, isChange: true }]),
    readChange,
  ],
  ["call name", objectIs("name")],
  ["report", after("to", objectIs("manager"))],
  ["marry", readMarrying],
  ["date", objectIs("partner")],
  ["drive", unless(null, objectIs("drive"))],
  ["attend", objectIs("school")],
  ["rewrite", readRewriting],
  ["study", after("at", objectIs("school")), objectIs("studies")],
  ["major", objectIs("studies")],
  ["schedule happen meet occur plan", objectIs("is")],
  ["transfer", readTransfer],
  ["sell donate", readParting],
  ["cancel", readCancelling],
  ["break split separate", readSeparating],
  ["graduate", readGraduating],
  ["expire end", readExpiring],
  ["extend", readExtending],
  ["begin", readBeginning],
  ["lead manage chair head", readLeading],
  [
    `change switch update set push postpone reschedule delay raise lower increase decrease reduce drop rise upgrade
    downgrade slip migrate convert grow fall go bump`,
    readChange,
  ],
  ["use", readUsing],
  ["prefer", readPreferring],
  ["like love enjoy", readLiking],
  ["hate dislike", readDisliking],
];

const READERS_OF_VERB = new Map(
  READERS.flatMap(([verbs, ...readers]) =>
    verbs.split(/\s+/u).map((verb) => [verb, readers] as const),
  ),
);

type ReadableClause = Pick<Clause, "subject" | "verb" | "complement" | "isPassive">;

/** What a clause says of its subject; of a verb that is not known, its object under its own name. */
export function readVerb(clause: ReadableClause): readonly Reading[] {
  const phrase = verbPhraseOf(clause);
  for (const reader of READERS_OF_VERB.get(clause.verb) ?? []) {
    const readings = reader(phrase);
    if (readings.length > 0) return readings;
  }
  const { verb, preposition, object } = phrase;
  return [
    { attribute: `verb:${verb}${preposition === null ? "" : ` ${preposition}`}`, value: object },
  ];
}

const DROPS_ITS_E = /^(?:driv|us|liv|tak|mak|giv|writ|rid|smok|hav|vap|danc|skat)$/u;

function baseOfIng(word: string): string {
  const stem = word.slice(0, -"ing".length);
  if (DROPS_ITS_E.test(stem)) return `${stem}e`;
  return /([bdgklmnprt])\1$/u.test(stem) ? stem.slice(0, -1) : stem;
}
