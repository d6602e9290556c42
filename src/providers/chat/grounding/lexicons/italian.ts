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
};
