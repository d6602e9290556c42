// What can hold only once, and what can hold many times over.

/** A person or thing has one of each at a time. */
export const SINGLE_VALUED = new Set(
  "home employer manager partner drive school age name plan workplace workmode team dwelling until".split(
    " ",
  ),
);
/** Verbs whose object a thing has one of at a time. */
export const SINGLE_VALUED_VERBS = new Set(
  [
    "run on",
    "host on",
    "host by",
    "deploy on",
    "deploy to",
    "write in",
    "build on",
    "build with",
    "build in",
    "store in",
  ].map((verb) => `verb:${verb}`),
);
/** Habits that "now" makes exclusive: "goes to FitX now". */
export const ONE_AT_A_TIME_NOW = new Set(
  [
    "go to",
    "bank with",
    "shop at",
    "train at",
    "stay at",
    "stay with",
    "play for",
    "fly with",
    "commute by",
    "travel by",
  ].map((verb) => `verb:${verb}`),
);
/** Wishes of which one replaces the other where they differ in one kind of word. */
export const ONE_WISH = new Set([
  "verb:want",
  "verb:need",
  "verb:expect",
  "verb:receive",
  "verb:get",
]);
/** Attributes of which a subject may have many values at a time. */
export const ADDITIVE = new Set(["liking", "verb:have", "verb:own", "verb:speak", "verb:play"]);
/** Kinds of value that exclude one another wherever a subject "is" them. */
export const EXCLUSIVE_KINDS = new Set(
  `color date time money percent number version email phone url city country title diet cloud database language framework
  marital state programming channel os editor browser handset daypart brand tracker ci forge payment airline assistant length`.split(
    /\s+/u,
  ),
);
/** Kinds that are measured or counted. */
export const MEASURED_KINDS = new Set("money percent number time version date".split(" "));
/** Kinds that tell one event from another rather than change a value. */
export const EVENT_KINDS = new Set(["date", "time"]);

/** Roles that people have beside others. */
export const SIDE_ROLES = new Set(
  "student volunteer member founder intern freelancer coach tutor guest employee contractor entrepreneur".split(
    " ",
  ),
);
