/** What people say for something plain, of a third person, and the plain words for it. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?<place>\p{Lu}[\p{L} '-]{1,40}?) is (?:the user's |their )?(?:new )?home (?:now|these days)\b.*$/u,
    "the user lives in $<place> now",
  ],
  [
    /^the user is (?:now |officially |finally |as of \p{L}+ \p{L}+ )*an? (?<place>\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) (?:resident|local|citizen|person)\b.*$/u,
    "the user lives in $<place> now",
  ],
  [
    /^(?<who>.{2,40}?) (?:calls?|is calling) (?<place>\p{Lu}[\p{L} '-]{1,40}?) (?:their |his |her )?home(?: now| these days)?\b.*$/u,
    "$<who> lives in $<place> now",
  ],
  [
    /^(?<who>.{2,40}?) (?:has |have |just |finally )*(?:left|swapped|traded|exchanged) (?<from>\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) for (?<to>\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)(?=$|[,;.]| (?:last|this|in|on|and)\b).*$/u,
    "$<who> moved from $<from> to $<to>",
  ],
  [
    /^the user (?:is|has been|started) (?:now )?with (?<firm>.+?) (?:now|from .* on|since .*|these days)$/u,
    "the user works at $<firm> now",
  ],
  [
    /^the user (?:has |just |finally )*(?:had|celebrated|hit|reached) (?:their |the )?(?:big )?(?<age>\d{1,2})(?:th|st|nd|rd)?(?: birthday)?\b.*$/u,
    "the user turned $<age>",
  ],
  [
    /^(?<what>.{2,40}?) (?:now )?(?:goes by|is (?:now )?known as|rebranded (?:as|to)|(?:was|got) rebranded (?:as|to)) (?<name>\p{Lu}.*?)(?: now| these days)?(?:,.*)?$/u,
    "$<what> is now called $<name>",
  ],
  [
    /^(?<who>the user(?:'s (?:\p{L}+ )?(?:son|daughter|brother|sister|mother|father|mum|mom|dad|nephew|niece|grand\p{L}+|wife|husband|kid|child))?) is (?<age>[1-9]\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) now$/u,
    "$<who> turned $<age>",
  ],
  [
    /^the user's new (?:place|flat|apartment|home|house) is in (?<place>.+)$/u,
    "the user lives in $<place> now",
  ],
  [
    /^.{0,40}\blast (?:day|shift|week) (?:at|with) (?<firm>[^,;]{2,40}?)(?: (?:was|is|on|in|yesterday|last)\b.*)?$/u,
    "the user no longer works at $<firm>",
  ],
  [
    /^(?<who>.{2,40}?) (?:has |just )*(?:started|began) as (?<role>an? .+?)(?= on | in | last | this |$).*$/u,
    "$<who> is now $<role>",
  ],
  [
    /^(?:the user's |their )?(?:first|second) (?:day|week|month) (?:at|in) (?:the |their )?new job(?: (?:at|with) (?<firm>\p{Lu}\S*))?\b.*$/u,
    "the user started a new job at $<firm>",
  ],
  [
    /^they (?:have |had )?(?:just )?(?:let the user go|fired the user|laid the user off|laid off the user|made the user redundant)\b.*$/u,
    "the user was laid off",
  ],
];

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  // "Meat still no": what stays as it was.
  [/,? (?:but )?\p{L}+ still (?:no|not)(?: though)?[.!]*$/u, ""],
  [/\bprod\b/giu, "production"],
  [/\bdev (?=is|runs|box|server|database)/gu, "development "],
  [/\bDB\b/gu, "database"],
  [/\buni\b/gu, "university"],
  [/\bmade the move to\b/gu, "moved to"],
  [/ for (?:work|good|love|family reasons|uni|university|school)(?=$|,)/gu, ""],
  [/, (?:\p{L}+ing|long story|no regrets|finally|at last|so \p{L}+|which|can you)\b.*$/gu, ""],
  [
    /\b(instead of|to replace|replacing|in place of|rather than) (?:the |their |an? )?(?:old|previous|former|trusty|beloved) /gu,
    "$1 the ",
  ],
  [
    /^((?:The|the) user's )(?:new )?(boss|manager|landlord|landlady|teacher|coach|dentist|doctor|tutor|roommate|flatmate|trainer|hairdresser) is (?:called |named |now )/u,
    "$1$2 is ",
  ],
];

/** A fact is short, and a longer text states many things. */
const MAX_CHARACTERS = 500;

/** A text of a third person in plain words, if it is an idiom, else as it is, without its end where it is long. */
export function plainly(text: string): string {
  const spelled = SHORT_FORMS.reduce(
    (rest, [short, long]) => rest.replace(short, long),
    text.slice(0, MAX_CHARACTERS),
  );
  const inside = spelled.replace(/^(?:The|They)(?= )/u, (first) => first.toLowerCase());
  const idiom = IDIOMS.find(([pattern]) => pattern.test(inside));
  return idiom === undefined ? spelled : inside.replace(...idiom);
}
