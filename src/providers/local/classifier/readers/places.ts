import {
  fromAndTo,
  isPlace,
  isTimed,
  mentions,
  type Reader,
  type Reading,
  UNREAD,
} from "../reading.ts";
import { subjectOf } from "../subject.ts";
import { readValue } from "../value.ts";

const TEAM = /^(?:team|department|group|division|squad)$/u;

/** "lives in Berlin", "moved from Berlin to Munich", "is based in Oslo". */
export const readPlace: Reader = ({ subject, verb, complement, preposition, object }) => {
  const isChange = verb === "move" || verb === "relocate";
  // "Moved to Friday" is a matter of the calendar.
  if (verb === "move" && isTimed(complement) && !isPlace(complement)) return UNREAD;
  const { before, to, from } = fromAndTo(complement);
  // "moved the meeting to room 4" is about the meeting.
  if (isChange && before.length > 0 && !mentions(before, /^(?:back|again|out|over|in)$/u))
    return UNREAD;
  const place = to ?? (/^(?:in|at|near|on)$/u.test(preposition ?? "") ? object : null);
  if (place === null)
    return isChange
      ? UNREAD
      : [{ attribute: `verb:${verb} ${preposition ?? ""}`, value: complement }];
  const former = from === null ? {} : { former: from };
  if (mentions(place, TEAM)) return [{ attribute: "team", value: place, isChange, ...former }];
  const attribute = readValue(place).shape === "article" ? "dwelling" : "home";
  const reading: Reading = { attribute, value: place, isChange, ...former };
  // "The service moved to GCP" is no change of address.
  return isChange && !subjectOf(subject).isPerson && !isPlace(place)
    ? [reading, { ...reading, attribute: "switch" }, { ...reading, attribute: "is" }]
    : [reading];
};
