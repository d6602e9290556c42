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
};
