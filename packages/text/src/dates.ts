/** Dates and times as people write them. */
export { ENGLISH_MONTHS, MONTH_OF_NAME, WEEKDAY_OF_NAME } from "./calendar-words.ts";
export { type QuestionTime, questionTime } from "./question-time.ts";
export { LASTED, resolveNearDays, resolveRelativeDates } from "./relative-dates.ts";
export { type PartialDate, startOf, type WrittenDate, writtenDates } from "./written-dates.ts";
