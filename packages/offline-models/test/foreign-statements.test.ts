import { expect, test } from "vitest";
import { inEnglish } from "../src/foreign-statements.ts";

test.each([
  ["Wir sind letzten Monat nach Erfurt gezogen", "I moved to Erfurt"],
  ["ich arbeite jetzt bei der Post", "I work at Post now"],
  ["Ich arbeite jetzt bei Carl Zeiss", "I work at Carl Zeiss now"],
  ["Ich rauche nicht mehr", "I quit smoking"],
  ["wir haben unser Auto verkauft", "I sold the car"],
  ["Nous avons déménagé à Rennes", "I moved to Rennes"],
  ["J'habite maintenant à Lyon", "I live in Lyon now"],
  ["je ne fume plus", "I quit smoking"],
  ["on a vendu la voiture hier", "I sold the car"],
  ["Me he mudado a Sevilla", "I moved to Sevilla"],
  ["Ahora vivimos en Bilbao", "I live in Bilbao now"],
  ["ya no trabajo en la panadería", "I left my job"],
  ["Ora lavoro per Olivetti", "I work at Olivetti now"],
  ["We zijn naar Gent verhuisd", "I moved to Gent"],
  ["Wir sind am Samstag nach Erfurt gefahren", null],
  ["Meine Schwester ist nach Erfurt gezogen", null],
  ["Vielleicht sind wir bald nach Erfurt gezogen", null],
  ["¿Ahora vives en Bilbao?", null],
  ["Wir wohnen seit zehn Jahren in Erfurt", null],
  ["Ich arbeite auch bei Zeiss", "I also work at Zeiss"],
  ["j'ai arrêté le piano", "I quit piano"],
  ["Ich esse keine Pilze", null],
  ["We moved to Ghent", null],
])("%s: %s", (sentence, english) => {
  expect(inEnglish(sentence)).toBe(english);
});
