import { fold } from "../../../domain/folding.ts";
import { wordsOf } from "../../text/text.ts";

const YES = setOf(
  `yes yeah yep yup yea ya sure correct right exactly indeed absolutely definitely true course certainly precisely totally affirmative
  ja jawohl jap jep genau richtig stimmt doch klar naturlich sicher oui ouais exact exactement tout fait bien sur effectivement voila
  si claro exacto correcto asi es efectivamente supuesto cierto certo esatto giusto esattamente infatti sim isso exato exatamente certeza
  klopt juist precies zeker inderdaad tak zgadza sie dokładnie owszem jasne pewnie oczywiscie`,
);
const NO = setOf(
  `no nope nah never not none nein nee nicht keine kein non pas nao niet geen nie zaden jamais nunca mai nigdy nooit`,
);
const FILLER = setOf(
  `ok okay k thanks thank you thx ty please i do am we it is was that that's this and well oh hm hmm um ah still of it's he she does has have did
  danke bitte das ist bin habe auch noch immer merci c'est je suis ca d'accord gracias eso lo soy tengo grazie e lo sono obrigado obrigada sou
  dank je bedankt dat dzieki dziekuje to jest at all really yet any more anymore not great nice cool good all the a`,
);
const EAST_ASIAN_YES =
  /^(?:はい|うん|ええ|そうです|そう|その通りです?|もちろん|是的|是|对的|对|對|没错|嗯+|当然)[\p{P}\s]*(?:はい|そうです|是的|对|谢谢|ありがとう(?:ございます)?)?[\p{P}\s]*$/u;
const EAST_ASIAN_NO =
  /^(?:いいえ|いや|ううん|違います|ちがいます|まだです|不是的?|不|没有|還没|还没|不对)[\p{P}\s]*(?:违います|不是|没有|まだです)?[\p{P}\s]*$/u;

/**
 * What a text answers if it says nothing but "yes" or "no", or "acknowledged" ("ok,
 * thanks"); null: it says something of its own.
 */
export function bareAnswer(text: string): "yes" | "no" | "acknowledged" | null {
  const folded = fold(text).trim();
  if (EAST_ASIAN_YES.test(folded)) return "yes";
  if (EAST_ASIAN_NO.test(folded)) return "no";
  const words = wordsOf(folded);
  if (words.length === 0) return null;
  if (!words.every((word) => YES.has(word) || NO.has(word) || FILLER.has(word))) return null;
  const [decisive] = words.filter((word) => YES.has(word) || NO.has(word));
  if (decisive === undefined) return "acknowledged";
  return NO.has(decisive) ? "no" : "yes";
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u));
}
