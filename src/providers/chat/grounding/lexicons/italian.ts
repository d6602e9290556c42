import type { Lexicon } from "./lexicon.ts";

export const ITALIAN: Lexicon = {
  common: String.raw`
    il | lo | la | gli | le | e | sono | un | una | uno | di | del | della | dei | nel | nella
    mio | mia | miei | mie | con | per | ho | ha | che | mi | si | al | alla | da | dal
    abbiamo | ma | anche | utente | dell'utente | l'utente | in | a | non | piu | vivo | lavoro
    abito | faccio | ieri | oggi | anni | ogni | tutti | questo | quando | era | poi | sto
    stato | va | adesso | l'\p{L}+ | un'\p{L}+ | dell'\p{L}+ | nell'\p{L}+ | le | i | come
    nostro | nostra | suo | sua
  `,
  negation: String.raw`
    non | mai | nessun\p{L}* | niente | nulla | senza | neanche | nemmeno | neppure | no | ne
    tutt'altro | a malapena | affatto | per niente | quasi mai | raramente | di rado
  `,
  affirming: String.raw`
    non solo | non vedo l'ora | senza dubbio | non c'e problema | perche no
    non (?:\p{L}+ ){0,4}senza | non (?:\S+ ){0,2}fare a meno
    non c'e (?:\p{L}+ ){1,3}(?:che|in cui) non | niente (?:di meglio|batte|come)
    non (?:mi )?(?:perdo|stanco|pento|resisto)
    non (?:riesco|posso) (?:a )?(?:smettere|resistere|aspettare) | non (?:lo|la) cambierei
    nessuno (?:\p{L}+ ){0,2}(?:meglio|migliore) | mai (?:perso|saltato|mancato)
  `,
  reversal: String.raw`
    odi[oa]\p{L}* | detest\p{L}* | evit\p{L}* | smess\p{L}* | smett\p{L}* | lasciat\p{L}*
    abbandon\p{L}* | annullat\p{L}* | vendut\p{L}* | pers[oa] | single | nubile | celibe
    disoccupat\p{L}* | veget\p{L}* | vegan\p{L}* | \p{L}*allerg\p{L}* | \p{L}*intolleran\p{L}*
    ex | rifiut\p{L}* | incapace | raramente | solo | viet\p{L}* | proib\p{L}* | separ\p{L}*
    divorzi\p{L}* | mort\p{L}* | paura | poc[oa] | tranne | astemi\p{L}* | buttat\p{L}*
    regalat\p{L}* | cancellat\p{L}* | liberat\p{L}*
  `,
  wish: String.raw`
    vogli\p{L}* | vuol\p{L}* | vuoi | vorre\p{L}* | volev\p{L}* | sper\p{L}* | piacerebbe
    pens[oa] di | pensando di | pensiamo di | ho intenzione | ha intenzione | progett\p{L}*
    pianific\p{L}* | sogn\p{L}* | un giorno | prima o poi | cerc[oah]\p{L}* | provando
    intend\p{L}* | \p{L}{2,}(?:ero|iro|eremo|iremo|era|ira)(?!\p{L}) | iscri\p{L}*
    candidat\p{L}* | voglia | prossim\p{L}* | risparmi\p{L}* | vorre\p{L}*
    tra \p{L}+ (?:giorni|settimane|mesi|anni) | fra \p{L}+ (?:giorni|settimane|mesi|anni)
    magari | presto | adorerei | mi piacere\p{L}*
  `,
  past: String.raw`
    prima(?! o poi) | una volta | un tempo | in passato | precedentemente
    da (?:bambin[oa]|piccol[oa]|ragazz[oa]|giovane) | fino (?:al|all'|alla|a)
    fino a(?:l|ll')? | non (?:\p{L}+ ){1,3}piu | non piu | quando ero
    dal (?:19|20)\d\d al (?:19|20)\d\d | da giovane | \p{L}{3,}(?:avo|evo|avamo|evamo) | avevo
    avevamo | ero | eravamo
  `,
  condition: String.raw`
    se | forse | magari | probabilmente | supponi\p{L}* | immagin\p{L}* | potrebbe\p{L}*
    potrei | sarei | avrei | sarebbe | avrebbe | \p{L}{2,}(?:erei|irei|rebbe|remmo) | fossi
    avessi | come se | chissa | nel caso | a patto | purche | a meno che | semmai | pare che
    sembra | a seconda | qualora | in teoria
  `,
  asking: String.raw`
    che (?:cosa|ne|tempo) | cosa | come (?:posso|si|faccio) | dove | perche | chi | quale
    quali | quant[oaie] | quando (?:e|posso|devo) | posso | puoi | potresti | devo | dovrei
    c'e | ci sono | e (?:vero|normale|possibile) | tradu\p{L}* | scriv[ia]\p{L}* | spiega\p{L}*
    rispond\p{L}* | dammi | mostra\p{L}* | fammi | cerca | immagina | fai finta | d'ora in poi
    per favore | aiut\p{L}* | si (?:puo|vive|mangia) | conosci | sai | vale la pena | hai
  `,
  first: `
    io | noi | mi | ci
  `,
  other: `
    lui | lei | tu | voi | loro
  `,
  pastForm: String.raw`
    \p{L}{2,}(?:avo|ava|eva|iva|avano|evano|ivano) | era | erano | fu | aveva | ha \p{L}+to
    e stat[oa] | prima | ex | precedente\p{L}* | fino
  `,
  speaker: "io | noi",
  mine: String.raw`
    mi[oae] | miei | nostr\p{L}*
  `,
  theirs: "su[oae] | suoi | loro",
  company: String.raw`
    noi | nostr\p{L}* | mi[oae] | lui | lei
  `,
  article: "il | lo | la | l' | gli | i | un | una",
  lead: "e | ma | allora | di | da | na",
  contrast: "ma",
  turns: "da | dal | e | o | con",
  of: String.raw`
    di | del | della | dello | dei | degli | delle | dell'\p{L}+
  `,
  that: "che | se",
  report: `
    (?:ha|hanno|aveva) (?:detto|raccontato|scritto|affermato|spiegato) | dice | dicono
    racconta(?:no)? | sostiene | sostengono | pensa(?:no)? | crede | credono | secondo
  `,
  undone: String.raw`
    dubito | (?:e|era) falso | non e vero | provat\p{L}* a | cercat\p{L}* di
    quasi (?!sempre|mai|tutt|niente|nulla|un|una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|\d|ogni|cent)\p{L}+
    per poco | stavo per | sul punto di | rifiutat\p{L}* | rifiuto | dimenticat\p{L}* di
    evitat\p{L}* di | smess\p{L}* di | rinunciat\p{L}* | vendut\p{L}* | annullat\p{L}*
    disdett\p{L}* | pers[oa]
  `,
  jest: "sto scherzando | certo,? e io | per scherzo | ho mentito | fatto finta",
  lightly: "scherzo",
  fiction: "il mio personaggio | nel mio (?:romanzo|racconto|sogno)",
  correction: "anzi | scusa | volevo dire",
  preference: "piuttosto | meglio | preferisco",
  attitude: "piace | ama | preferisce",
  whenever: "quando",
  always: "mai | sempre",
  sometimes: "a volte | qualche volta",
  edit: String.raw`
    traduc\p{L}* | tradurre | corregg\p{L}* | riformul\p{L}* | riassum\p{L}* | riscriv\p{L}*
    parafras\p{L}* | completa\p{L}* (?:la|questa|il) | come si dice
  `,
  following: String.raw`
    quest\p{L}* | seguente
  `,
  fromNowOn: "d'ora in poi",
  request: "puoi | potresti",
  courtesy: "per favore",
  reminder: `
    (?:ricorda(?:ti)?|non dimenticare|tieni (?:presente|a mente)|prendi nota|segnati|annota)(?: di)?(?: che)?
  `,
  takesBack: String.raw`
    (?<!non )dimentica(?:lo|la|telo|te)? | cancella\p{L}* | elimina\p{L}* | ignora\p{L}*
    (?:era|e) (?:falso|sbagliat\p{L}*|un errore) | mi sono sbagliat\p{L}* | lo ritiro
  `,
  user: "utente",
  yes: "si | certo | esatto | giusto | esattamente | infatti | cierto",
  no: "mai",
  filler: "grazie | e | lo | sono",
  morning: "mattin[ao]",
  afternoon: "pomeriggio | sera",
  half: "mezz[oa]",
  quarter: "quarto",
  feast: "natale | capodanno | pasqua | ferragosto | pasquetta | giorno d[ei]",
  roundabout: String.raw`
    settiman\p{L}* | prim[oa] | second[oa]
  `,
};
