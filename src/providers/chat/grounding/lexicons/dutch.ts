import type { Lexicon } from "./lexicon.ts";

export const DUTCH: Lexicon = {
  common: `
    de | het | een | en | is | ik | niet | mijn | met | voor | op | van | bij | te | ben | heb
    hebben | heeft | zijn | dat | die | wij | we | maar | ook | naar | sinds | om | er
    gebruiker | was | in | mn | m'n | uit | woon | werk | gisteren | vandaag | jaar | elke
    alle | dit | toen | mij | heel | geen | nog | al | wel | gaan | ga | dan | onze | hij | ze
    je | aan | over
  `,
  negation: `
    niet | nooit | geen | niks | niets | niemand | zonder | noch | nee | nergens | nauwelijks
    amper | allesbehalve | geenszins | helemaal niet | zelden
  `,
  affirming: String.raw`
    niet alleen | geen probleem | geen idee | niet slecht
    (?:niet|geen|nooit) (?:\p{L}+ ){0,5}zonder | niets (?:beters|gaat boven|zo)
    niet (?:genoeg (?:van|krijgen)|voor niets|weerstaan|missen|laten|wachten) | geen genoeg
    (?:nooit|geen) (?:\p{L}+ ){0,3}(?:missen|mis|oversla\p{L}*|overgeslagen)
    niemand (?:\p{L}+ ){0,2}beter | kan niet wachten
  `,
  reversal: String.raw`
    haat | haten | vermijd\p{L}* | gestopt | stop\p{L}* | opgegeven | geannuleerd | verkocht
    verloren | vrijgezel | werkloos | veget\p{L}* | vegan\p{L}* | \p{L}*allerg\p{L}*
    \p{L}*intoleran\p{L}* | ex | voormalig\p{L}* | weiger\p{L}* | on\p{L}{4,} | nauwelijks
    zelden | alleen | hekel | kwijt | verbod\p{L}* | verbied\p{L}* | gescheiden | dood
    overleden | bang | weinig | behalve | \p{L}{3,}loos | \p{L}{3,}vrij | weggegooid | weggedaan
    weggegeven | verwijderd
  `,
  wish: String.raw`
    wil | willen | wilt | wilde | zou graag | zouden graag | zou willen | hoop | hopen | hoopt
    plan | plannen | gepland | van plan | droom | dromen | droomt | ga | gaat | gaan | zal
    zullen | ooit | op een dag | probeer\p{L}* | zoek | zoeken | overweeg\p{L}*
    denk er\p{L}* over | wens | aangemeld | ingeschreven | solliciteer\p{L}* | volgend\p{L}*
    spaar\p{L}* | sparen | zin (?:in|om) | over \p{L}+ (?:dagen|weken|maanden|jaar) | binnenkort
    had graag | zou
  `,
  past: String.raw`
    vroeger | destijds | toen | voorheen | eerder | als kind
    tot (?:vorig\p{L}*|afgelopen|voor kort|(?:19|20)\d\d|mijn|het|de) | niet meer
    geen (?:\p{L}+ ){1,3}meer | in mijn (?:jeugd|studententijd)
    van (?:19|20)\d\d tot (?:19|20)\d\d | voormalig\p{L}* | was | waren | had | hadden
    woonde\p{L}* | werkte\p{L}* | speelde\p{L}* | leefde\p{L}*
  `,
  condition: `
    als (?:ik|je|we|het|hij|ze|er|mijn) | indien | mocht | misschien | wellicht | waarschijnlijk
    mogelijk | zou | zouden | kon | stel | of ik | als | in geval | zolang | tenzij | mits
    zogenaamd | hangt ervan af | alsof | ware
  `,
  asking: String.raw`
    wat | hoe | waar | waarom | wie | welke? | wanneer | kan (?:ik|je|u) | kun je | kunt u
    moet ik | zal ik | is (?:het|er) | zijn er | heb je | heeft u | vertaal | schrijf | leg uit
    antwoord\p{L}* | geef | toon | laat | maak | zoek | stel je voor | doe alsof | vanaf nu
    alsjeblieft | graag | help | is (?:een|de|dat|dit) | zijn (?:de|die) | heeft (?:een|de)
    kent | weet (?:je|u) | ken je | mag ik
  `,
  first: `
    ik | wij | we | mij | me | ons
  `,
  other: `
    hij | zij | ze | jij | je | u | jullie | hem
  `,
  pastForm: String.raw`
    was | waren | had | hadden | werd | ge\p{L}{2,}(?:d|t|en) | \p{L}{3,}(?:de|te|den|ten)
    vroeger | voormalig\p{L}* | eerder | tot | ex
  `,
  speaker: "ik | wij | we",
  mine: "mijn | m'n | onze? | mijne",
  theirs: "zijn | haar | hun | z'n | d'r",
  company: "wij | onze? | mijn | hij | zij",
  article: "de | het | een",
  lead: "en | of | maar | dus | op | in",
  contrast: "maar",
  turns: "door | en | of | met",
  of: "van",
  that: "dat | of",
  report: String.raw`
    vertel(?:t|de|den)? | verteld | zei(?:den)? | zegt | zeggen | gezegd | beweer\p{L}* | denkt
    denken | gelooft | schreef | volgens
  `,
  undone: String.raw`
    betwijfel\p{L}* | twijfel of | onwaar | niet waar
    bijna (?:\p{L}+ ){0,4}(?:ge\p{L}{3,}|ver\p{L}{3,}[dt]) | op het punt | geweigerd
    weiger\p{L}* | afgewezen | afgeslagen | vergeten (?:om|te) | gestopt met | afgezien van
    verkocht | opgezegd | geannuleerd | verloren
  `,
  jest: "grapje | geintje | voor de grap | gelogen | deed alsof",
  fiction: "mijn personage | in mijn (?:roman|verhaal|droom)",
  correction: "ik bedoel | of nee | wacht",
  preference: "liever | eerder",
  attitude: "houdt",
  whenever: "wanneer",
  always: "nooit | altijd | elke",
  sometimes: "soms",
  edit: String.raw`
    vertaal\p{L}* | vertaling van | corrigeer\p{L}* | verbeter\p{L}* | herschrijf\p{L}*
    herformuleer\p{L}* | vat (?:\p{L}+ ){0,3}samen | maak (?:de|deze) zin af | hoe zeg je
  `,
  following: "dit | deze | volgende",
  fromNowOn: "vanaf nu",
  request: "kun je | kan je | wil je",
  courtesy: "alsjeblieft",
  reminder: "(?:onthoud?|vergeet niet|denk eraan|noteer)(?: dat)?",
  takesBack: String.raw`
    vergeet(?! niet) | verwijder\p{L}* | wis | negeer
    (?:was|is|klopt|klopte) (?:\p{L}+ )?(?:fout|onjuist|een vergissing|voorbij) | klopt niet
    vergiste? me | me vergist
  `,
  user: "gebruiker",
  yes: "klopt | juist | precies | zeker | inderdaad",
  no: "niet | geen | nooit",
  filler: "dank | je | bedankt | dat",
  morning: "[a-z]*ochtends",
  afternoon: "avonds | middags",
  half: "half",
  quarter: String.raw`
    kwart\p{L}*
  `,
  feast: String.raw`
    kerst\p{L}* | oudjaar\p{L}* | oud en nieuw | pasen | sinterklaas | koningsdag | dag van
  `,
  roundabout: "weken | eerste | tweede",
};
