import type { Lexicon } from "./lexicon.ts";

export const POLISH: Lexicon = {
  common: `
    i | w | z | na | do | sie | jest | jestem | mam | ma | moj | moja | moje | mojej | mojego
    od | nie | to | ze | dla | po | o | u | mieszkam | pracuje | oraz | ale | przez | za
    uzytkownik | uzytkowniczka | uzytkownika | we | mi | przy | wczoraj | dzis | lat | lata | co
    kazdy | juz | tylko | byłem | byłam | był | tym | tego | jak | moim | sa | nas | mnie | nasz
    nasza | jego | jej | ze | pod | roku
  `,
  negation: String.raw`
    nie | nigdy | zad(?:en|na|ne|nego|nej|nych) | nic | nikt | bez | ani | nikogo | ledwo
    prawie wcale | wcale | zadn\p{L}+ | rzadko
  `,
  affirming: String.raw`
    nie tylko | nie moge sie doczekac | nie ma sprawy | nie ma problemu
    nie (?:\p{L}+ ){0,4}bez | nie ma (?:\p{L}+ ){1,3}(?:bez|zebym nie|w ktorym nie)
    nie ma (?:jak|nic lepszego) | nic (?:lepszego|nie przebije)
    nie moge (?:przestac|sie oprzec|sie powstrzymac|zyc bez)
    nie (?:opuszczam|odpuszczam|przegapi\p{L}*|zamieni\p{L}*) | nikt (?:\p{L}+ ){0,2}lepiej
    nie mam dosc
  `,
  reversal: String.raw`
    nienawi\p{L}* | unik\p{L}* | rzuci\p{L}* | przesta\p{L}* | zrezygnow\p{L}* | odwoł\p{L}*
    sprzeda\p{L}* | straci\p{L}* | singl\p{L}* | bezrobotn\p{L}* | weget\p{L}* | wegan\p{L}*
    \p{L}*alergi\p{L}* | uczulon\p{L}* | \p{L}*nietoleran\p{L}* | był\p{L}* | odmaw\p{L}*
    rzadko | tylko | zakaz\p{L}* | zabron\p{L}* | rozwied\p{L}* | zmarł\p{L}* | boj\p{L}* | mało
    oprocz | celiaki\p{L}* | nie tykam | wyrzuci\p{L}* | odda\p{L}* | pozby\p{L}* | usun\p{L}*
  `,
  wish: String.raw`
    chce\p{L}* | chcia\p{L}* | chciał\p{L}* | planuj\p{L}* | zamierza\p{L}* | mam nadziej\p{L}*
    marz\p{L}* | bede | bedzie | bedziemy | kiedys tam | pewnego dnia | prob\p{L}* | szuk\p{L}*
    pragn\p{L}* | rozwaza\p{L}* | mysl\p{L}* o | zapis\p{L}* | aplik\p{L}* | przyszł\p{L}*
    oszczedz\p{L}* | chetnie | za \p{L}+ (?:dni|tygodni\p{L}*|miesi\p{L}*|lat\p{L}*) | wkrotce
    niedługo | gdybym | przeprowadz\p{L}* | przenosimy
  `,
  past: String.raw`
    kiedys | dawniej | wczesniej | niegdys | przedtem | dawno temu | jako dziecko
    w dziecinstwie | do (?:zeszł\p{L}*|niedawna|(?:19|20)\d\d) | juz nie | za młodu | w młodosci
    gdy byłem | gdy byłam | od (?:19|20)\d\d do (?:19|20)\d\d | były | była | miał(?:em|am|a)?
    mieszkał\p{L}* | pracował\p{L}* | grał\p{L}* | byłem | byłam | bylismy
  `,
  condition: String.raw`
    jesli | jezeli | gdyby\p{L}* | moze | byc moze | chyba | prawdopodobnie | pewnie | załozmy
    czy | by[mśs]? | \p{L}{3,}(?:łbym|łabym|libysmy|łby|łaby) | o ile | pod warunkiem | w razie
    jakby\p{L}* | podobno | rzekomo | zalezy | gdyby | niby
  `,
  asking: String.raw`
    co (?:to|robic|mam|moge|polec\p{L}*) | jak (?:moge|to|sie) | jaki\p{L}* | gdzie | dlaczego
    czemu | kto | ktor\p{L}* | ile | kiedy (?:jest|moge) | czy | moge | mozesz | powinienem
    powinnam | przetłumacz\p{L}* | napisz | wyjasnij | odpowi\p{L}* | daj | pokaz | zrob
    znajdz | wyobraz\p{L}* | udawaj | od teraz | prosze | pomoz | czy jest | znasz | wiesz
    masz | warto | mozna
  `,
  first: `
    ja | my | mnie | mi | nas | nam
  `,
  other: `
    on | ona | ty | wy | oni | one | pan | pani
  `,
  pastForm: String.raw`
    \p{L}+(?:ł|ła|li|ły|ło|łem|łam|lismy) | dawn\p{L}* | wczesniej | kiedys | był\p{L}* | do
  `,
  speaker: "ja | my",
  mine: String.raw`
    moj\p{L}* | moi | nasz\p{L}*
  `,
  theirs: "jego | jej | ich",
  company: String.raw`
    nasz\p{L}* | moj\p{L}* | ona
  `,
  lead: "i | a | ale | wiec | do | z | w | na | o",
  contrast: "ale | lecz",
  turns: "przez | i | lub | z",
  of: "od",
  that: "ze | zeby | czy",
  report: `
    powiedział[aioy]? | mowi[aał]? | mowiła | twierdz[ia] | mysli | uwaza(?:ja)? | napisał[aiy]?
    wspomniał[aiy]? | według
  `,
  undone: String.raw`
    watpie | nieprawda | probowal\p{L}* | probował\p{L}* | omal nie | o mało (?:nie|co)
    prawie (?!zawsze|nigdy|wszys|kazd|wcale|\d|dwa|trzy|piec|dziesiec)\p{L}+ | odmowi\p{L}*
    odrzuci\p{L}* | zapomni\p{L}* | unikn\p{L}* | przesta\p{L}* | zrezygnowa\p{L}* z
    sprzedał\p{L}* | odwołał\p{L}* | stracił\p{L}*
  `,
  jest: String.raw`
    zartuj\p{L}* | dla zartu | w zartach | skłamał\p{L}* | udawał\p{L}*
  `,
  lightly: "zart",
  fiction: "moj bohater | moja bohaterka | w moj(?:ej|im) (?:powiesci|opowiadaniu|snie)",
  correction: "znaczy | przepraszam | a nie",
  preference: "raczej | wole | zamiast",
  attitude: "lubi | woli | uwielbia",
  whenever: "gdy | kiedy",
  always: "nigdy | zawsze",
  sometimes: "czasem | czasami",
  edit: String.raw`
    przetłumacz\p{L}* | tłumaczenie | popraw\p{L}* | przeredaguj\p{L}* | sparafrazuj\p{L}*
    stresc\p{L}* | podsumuj\p{L}* | dokoncz\p{L}* | jak (?:sie mowi|powiedziec)
  `,
  following: String.raw`
    to | ten | te | nastepuj\p{L}*
  `,
  fromNowOn: "od teraz",
  request: "mozesz | czy mozesz",
  courtesy: "prosze",
  reminder: "(?:za)?pamietaj(?:cie)?(?: ze)? | nie zapomnij(?: ze)? | zanotuj(?: ze)?",
  takesBack: String.raw`
    (?<!nie )zapomnij(?:cie)? | usun\p{L}* | skasuj\p{L}* | wykresl\p{L}*
    (?:było|jest|to) (?:\p{L}+ )?(?:nieprawd\p{L}*|bład|błedne|pomyłka) | pomylił\p{L}* sie
  `,
  user: "uzytkownika? | uzytkowniczk[ai]",
  yes: "tak | zgadza | sie | dokładnie | owszem | jasne | pewnie | oczywiscie",
  no: "nie | zaden | nigdy",
  filler: "dzieki | dziekuje | to | jest",
  morning: "rano",
  afternoon: "wieczorem",
  half: "w?poł",
  quarter: String.raw`
    kwadrans\p{L}*
  `,
  feast: String.raw`
    wigili\p{L}* | wielkanoc\p{L}* | sylwest\p{L}* | boze(?:go)? narodzen\p{L}*
  `,
  roundabout: String.raw`
    tydzien | tygodni\p{L}* | pierwsz\p{L}* | drug\p{L}*
  `,
};
