import type { Lexicon } from "./lexicon.ts";

export const GERMAN: Lexicon = {
  common: `
    der | die | das | und | ist | ich | nicht | ein | eine | einen | mein | meine | meinen
    meiner | meinem | mit | fur | auf | im | am | zu | bin | habe | hab | hat | den | dem | des
    von | seit | wir | es | auch | war | als | nutzer | nutzers | nutzerin | uber | nach | bei
    aus | gestern | heute | jahre | jahren | jeden | alle | dann | noch | schon | gehe? | wohne
    arbeite | esse | mag | hier | immer | sind | sein | ihr | er | sie | nur | keine? | unser
    unsere | so | wird | man | vor | um
  `,
  negation: String.raw`
    nicht | nix | nichts | nie | niemals | kein\p{L}* | ohne | weder | noch nie | niemand | nein
    nee | no | kaum | alles andere als | nirgend\p{L}* | nimmer | keinesfalls | keineswegs | ned
    net | selten
  `,
  affirming: String.raw`
    nicht nur | kein problem | keine ahnung | nicht wahr | nicht schlecht | ohne problem\p{L}*
    nicht (?:genug (?:bekommen|kriegen)|ohne|umsonst|wegzudenken|mehr wegdenken|missen|entgehen|selten|un\p{L}{4,}|einmal mehr wegdenken)
    nichts (?:geht uber|besseres|schoneres) | (?:kein\p{L}*|nie|nicht) (?:\p{L}+ ){0,4}ohne
    kein (?:tag|abend|morgen|wochenende) ohne | niemand (?:\p{L}+ ){0,2}besser
    (?:nie|kein\p{L}*) (?:\p{L}+ ){0,5}(?:verpass\p{L}*|versaum\p{L}*|auslass\p{L}*)
    ohne (?:\p{L}+ ){1,4}(?:geht|ginge|gehe?|kann) (?:\p{L}+ ){0,3}nicht(?:s)?
    kann (?:\p{L}+ ){0,4}nicht (?:widerstehen|lassen|abwarten|verzichten)
    ohne (?:\S+ ){1,5}(?:nix|nichts|nicht)
  `,
  reversal: String.raw`
    hass\p{L}* | meid\p{L}* | vermeid\p{L}* | aufgehort | verlass\p{L}* | entlassen | aufgegeben
    abgeschafft | abgesagt | gekundigt | verlor\p{L}* | verkauft | ledig | arbeitslos
    veget\p{L}* | vegan\p{L}* | \p{L}*allerg\p{L}* | \p{L}*intoleran\p{L}* | ex | ehemalig\p{L}*
    verzicht\p{L}* | un\p{L}{4,} | \p{L}{3,}frei | \p{L}{3,}los | weg | statt | kaum | selten
    nur | verbot\p{L}* | verbiet\p{L}* | gestorben | tot | angst | getrennt | geschieden
    abstinent | wenig | nur noch | mag ich uberhaupt | weggeworfen | entsorgt | verschenkt
    abgeschafft | abgegeben | geloscht
  `,
  wish: String.raw`
    will | wollen | willst | wollte\p{L}* | mochte\p{L}* | wurde gern\p{L}* | plan\p{L}*
    vorha\p{L}* | hab\p{L}* vor | hoff\p{L}* | traum\p{L}* | uberleg\p{L}* | werd\p{L}* | wird
    irgendwann | eines tages | wunsch\p{L}* | versuch\p{L}* | suche | soll\p{L}*
    beabsichtig\p{L}* | hatte\p{L}* (?:\p{L}+ ){0,2}gern\p{L}*
    ware\p{L}* (?:\p{L}+ ){0,2}gern\p{L}* | wurde\p{L}* | angemeldet | beworben | bewerb\p{L}*
    spar\p{L}* | lust auf | lust zu | kommend\p{L}* | nachst\p{L}* | bald | vorgenommen
    freu\p{L}* (?:mich|uns) auf
  `,
  past: String.raw`
    fruher | damals | ehemals | einst | vorher | als kind | zuvor
    bis (?:letzt\p{L}*|vor|(?:19|20)\d\d|zu[mr]) | (?:19|20)\d\d bis (?:19|20)\d\d
    in meiner jugend | in jungen jahren | nicht mehr | ehemalig\p{L}* | seinerzeit | war | waren
    hatten | wohnte\p{L}* | arbeitete\p{L}* | lebte\p{L}* | spielte\p{L}* | besa(?:ss|ß)\p{L}*
  `,
  condition: String.raw`
    wenn | falls | sofern | ob | vielleicht | eventuell | wahrscheinlich | vermutlich
    konnte\p{L}* | wurde\p{L}* | ware\p{L}* | hatte ich | angenommen | moglicherweise
    womoglich | evtl | im falle? | vorausgesetzt | solang\p{L}* | sollte\p{L}* | angeblich
    als ob | es sei denn | je nachdem | glaube? ich | theoretisch | wohl | hatte | waren wir
  `,
  asking: String.raw`
    was | wie | wo | warum | wieso | wer | welche\p{L}* | wann | kann (?:ich|man|mir) | kannst
    konnen | konntest | soll (?:ich|man) | sollte (?:ich|man) | gibt es | gibt's | ist es
    hast du | haben sie | bin ich | darf (?:ich|man) | schreib\p{L}* | ubersetz\p{L}*
    erklar\p{L}* | empfiehl\p{L}* | antwort\p{L}* | gib | zeig | mach | nenn\p{L}* | such | sag
    stell dir | tu so | sei | bitte | ab jetzt | ab sofort | hilf | sind
    ist (?:das|der|die|es|ein\p{L}*) | hat (?:das|der|die|jemand) | habt | lohnt | vergiss
  `,
  first: `
    ich | wir | mir | mich | uns
  `,
  other: `
    er | sie | du | ihr | ihn | ihm | ihnen | man
  `,
  pastForm: String.raw`
    war | waren | hatte\p{L}* | wurde | fruher\p{L}* | ehemal\p{L}* | damals | bis | \p{L}{3,}te
    \p{L}{3,}ten | ge\p{L}{2,}(?:t|en) | vor
  `,
  speaker: "ich | wir",
  mine: String.raw`
    mein\p{L}* | unser\p{L}*
  `,
  theirs: String.raw`
    sein\p{L}* | ihr\p{L}* | dessen | deren
  `,
  company: String.raw`
    wir | uns\p{L}* | mein\p{L}* | er | sie | ihr\p{L}*
  `,
  article: String.raw`
    der | die | das | den | dem | des | ein\p{L}*
  `,
  lead: "und | oder | aber | also | bitte | na | ja | auf",
  contrast: "aber | sondern",
  turns: "von | und | oder | wird | mit",
  of: "von | vom",
  that: "dass | ob | wie",
  report: String.raw`
    erzahlt\p{L}* | sagt\p{L}* | gesagt | meint\p{L}* | behauptet\p{L}* | schrieb\p{L}*
    schreibt | geschrieben | glaubt | denkt | erwahnt\p{L}* | versichert\p{L}* | laut(?= \p{L})
    zufolge
  `,
  undone: String.raw`
    bezweif\p{L}* | zweif\p{L}* | fast hatte\p{L}* | hatte\p{L}* (?:\p{L}+ ){0,5}fast
    (?:bin|sind|habe?|haben) (?:\p{L}+ ){0,3}fast (?!all|jed|immer|nie|kein|nur|nicht|ganz|\d|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|dreissig|hundert)\p{L}+
    beinahe? | um ein haar | stimmt nicht
    (?:ist|ware) (?:falsch|gelogen|nicht wahr|unwahr|quatsch|unsinn) | vergessen | abgelehnt
    lehn\p{L}* (?:\p{L}+ ){0,5}ab | weiger\p{L}* | geweigert | versaumt | aufgehort | verzichtet
    verkauft | gekundigt | abgesagt | verloren | weggegeben | verschenkt
  `,
  jest: `
    na klar,? und | nur spass | kleiner scherz | (?:zum|aus) spass | im scherz | gelogen
    so getan als
  `,
  fiction: `
    meine? (?:figur|romanfigur|hauptfigur|charakter)
    in (?:meinem|dem) (?:roman|spiel|traum|buch)
  `,
  correction: "quatsch | ich meine? | vielmehr | ach nein | moment",
  preference: "lieber | eher | stattdessen",
  attitude: "mag | liebt | bevorzugt",
  whenever: "wenn",
  always: String.raw`
    nie | immer | jede\p{L}*
  `,
  sometimes: "manchmal | gelegentlich",
  edit: String.raw`
    ubersetz(?!er)\p{L}* | umformulier\p{L}* | formulier\p{L}* (?:\p{L}+ ){0,2}(?:um|neu)
    korrigier\p{L}* | verbesser\p{L}* | fass\p{L}* (?:\p{L}+ ){0,3}zusammen | zusammenfass\p{L}*
    lektorier\p{L}* | schreib\p{L}* (?:\p{L}+ ){1,2}um | vervollstandig\p{L}*
    setz\p{L}* (?:\p{L}+ ){1,3}fort | wie sagt man
    prufe? (?:\p{L}+ ){0,3}(?:grammatik|rechtschreibung)
  `,
  following: String.raw`
    dies\p{L}* | folgend\p{L}* | den (?:satz|text) | das
  `,
  fromNowOn: "ab (?:jetzt|sofort)",
  request: "kannst du(?: dir)? | konntest du | bitte",
  courtesy: "bitte",
  reminder: `
    (?:merke?|merkt) (?:dir|euch)(?: bitte)?(?: dass)? | merken sie sich
    vergiss (?:bitte )?nicht(?: dass)? | denke? (?:daran|dran)(?: dass)?
    notiere?(?: dir)?(?: dass)? | dass
  `,
  takesBack: String.raw`
    vergiss(?! (?:bitte )?nicht) | vergessen sie(?! nicht) | losch\p{L}* | streich\p{L}*
    ignorier\p{L}*
    (?:war|ist|stimmt|stimmte) (?:\p{L}+ )?(?:falsch|gelogen|ein fehler|ein irrtum|vorbei|veraltet)
    stimmt (?:so )?nicht | mich (?:geirrt|versprochen|vertan) | nehme? (?:das|es) zuruck
  `,
  user: "nutzers? | nutzerin | benutzers? | benutzerin",
  yes: "ja | jawohl | jap | jep | genau | richtig | stimmt | doch | klar | naturlich | sicher",
  no: "nein | nee | nicht | keine | kein",
  filler: "danke | bitte | das | ist | bin | habe | auch | noch | immer",
  morning: "morgens",
  afternoon: "abends | nachmittags",
  half: String.raw`
    halb\p{L}*
  `,
  quarter: String.raw`
    viertel\p{L}*
  `,
  feast: String.raw`
    weihnacht\p{L}* | heiligabend | silvester | neujahr | ostern | pfingsten | tag der
  `,
  roundabout: String.raw`
    woche | wochen | erst\p{L}* | zweit\p{L}* | dritt\p{L}* | ubernachst\p{L}* | vorletzt\p{L}*
  `,
};
