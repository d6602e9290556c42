/** One to twelve, for regular expressions. */
export const SMALL_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
/** Thirteen to nineteen, for regular expressions. */
export const TEENS = "(?:thir|four|fif|six|seven|eigh|nine)teen";
/** "First" to "twelfth". */
export const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
