import { isStopWord } from "../../text/stop-words.ts";
import { fold, wordsOf } from "../../text/text.ts";
import { withoutElision } from "./words.ts";

/** "The user" and articles, in languages that write either with a capital or first. */
const THE_USER = new Set(
  `user nutzer nutzerin benutzer benutzerin utilisateur utilisatrice usuario usuaria utente gebruiker anvandaren
  brugeren brukeren kayttaja uzytkownik uzytkowniczka uzivatel uzivatelka kullanici пользователь користувач
  der die das den dem des le la les l el los las o os il lo gli un une una uno ein eine de het een en ett`.split(
    /\s+/u,
  ),
);

/** The words of a fact with a capital, but for common words and "The user" at its beginning. */
export function namesOf(fact: string): string[] {
  return wordsOf(fact)
    .map(withoutElision)
    .filter((word, position) => {
      const folded = fold(word).replace(/'s?$/u, "");
      const isTheUser = position <= 1 && THE_USER.has(folded);
      return /\p{Lu}/u.test(word) && !isStopWord(folded) && !isTheUser;
    });
}
