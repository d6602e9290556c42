import type { Lexicon } from "./lexicon.ts";

export const SPANISH: Lexicon = {
  common: `
    el | la | los | las | y | es | soy | estoy | un | una | de | del | en | mi | mis | con
    para | por | tengo | tiene | que | me | se | al | desde | hace | nosotros | pero | muy
    esta | usuario | usuaria | su | no | lo | mas | vivo | vive | trabajo | gusta | estaba | era
    fue | ayer | hoy | anos | cada | todos | le | esto | ya | sin | cuando | va | nuestro
    nuestra | ha | he
  `,
  negation: String.raw`
    no | nunca | jamas | nada | ningun\p{L}* | tampoco | sin | ni | nadie | apenas | ningun
    tampoco | para nada | en absoluto | todo menos | casi nunca | rara vez | raramente
    pocas veces
  `,
  affirming: String.raw`
    no solo | no solamente | sin duda | sin problema\p{L}* | no hay problema | por que no
    no (?:\p{L}+ ){0,4}sin | no hay (?:\p{L}+ ){1,3}(?:que|en que|donde) no
    no (?:puedo|podria|puede) (?:parar|dejar|resistir|aguantar|evitar)
    nada (?:como|mejor|supera) | no me (?:pierdo|canso|cansa|cambio|arrepiento)
    no (?:lo|la) cambi\p{L}* | nunca (?:me )?(?:falto|fallo|pierdo|olvid\p{L}*) | no veo la hora
  `,
  reversal: String.raw`
    odi\p{L}* | detest\p{L}* | evit\p{L}* | dej[eoa]\p{L}* | dejado | abandon\p{L}*
    cancel\p{L}* | vendi\p{L}* | perdi\p{L}* | solter\p{L}* | desemplead\p{L}* | veget\p{L}*
    vegan\p{L}* | \p{L}*alergi\p{L}* | \p{L}*alergic\p{L}* | \p{L}*intoleran\p{L}* | ex
    antigu\p{L}* | rechaz\p{L}* | incapaz | apenas | rara vez | solo | renunci\p{L}*
    prohib\p{L}* | separ\p{L}* | divorci\p{L}* | muri\p{L}* | miedo | poc[oa]s? | salvo | menos
    fobia | abstemi\p{L}* | tir[eoa]\p{L}* | regal\p{L}* | borr\p{L}* | deshic\p{L}*
  `,
  wish: String.raw`
    quier\p{L}* | queremos | querer | quisier\p{L}* | querria\p{L}* | gustari\p{L}*
    encantari\p{L}* | esper\p{L}* | plane\p{L}* | pienso | piensa | pensando | pensamos
    proyect\p{L}* | suen[oa]\p{L}* | voy a | va a | vamos a | van a | algun dia | intent\p{L}*
    busc\p{L}* | deseo | desea | ojala | tiene previsto
    \p{L}{2,}(?:are|ere|ire|ara|era|ira|aremos|eremos|iremos) | inscri\p{L}* | apunt\p{L}*
    solicit\p{L}* | ganas | proxim\p{L}* | ahorr\p{L}* | queria\p{L}* | me encantaria
    dentro de | pronto | si tan solo | ojala\p{L}*
  `,
  past: String.raw`
    antes | sol[ii]a\p{L}* | anteriormente | antano | en aquel entonces
    de (?:nino|nina|joven|pequen[oa]) | hasta (?:el|la|hace|(?:19|20)\d\d|que)
    en mi (?:juventud|infancia|epoca) | ya no | cuando era | de (?:19|20)\d\d a (?:19|20)\d\d
    antiguamente | \p{L}{3,}aba(?:mos|n)? | era | eramos | tenia(?:mos|n)? | vivia(?:mos|n)?
  `,
  condition: String.raw`
    si(?! ?[,.!]) | quiza\p{L}* | tal vez | a lo mejor | probablemente | posiblemente | acaso
    supon\p{L}* | imagin\p{L}* | podria\p{L}* | seria\p{L}* | tendria\p{L}*
    \p{L}{2,}(?:aria|eria|iria) | fuera | tuviera | pudiera | puede que | como si | en caso
    siempre que | con tal | a menos que | supuestamente | aunque fuera | dependiendo | segun
    igual
  `,
  asking: String.raw`
    que (?:es|me|puedo|hago|tal|debo|hay) | cual\p{L}* | como (?:puedo|se|hago|es|esta) | donde
    por que | quien\p{L}* | cuant[oa]\p{L}* | cuando (?:es|puedo|debo) | puedo | puedes
    podrias | debo | deberia | hay | es (?:verdad|posible|normal) | traduc\p{L}*
    escrib[ea]\p{L}* | explica\p{L}* | responde\p{L}* | contesta\p{L}* | dame | muestra\p{L}*
    haz\p{L}* | busca\p{L}* | imagina\p{L}* | a partir de ahora | por favor | ayuda\p{L}*
    se (?:puede|vive|come|necesita) | es (?:bueno|malo|mejor|caro) | conoces | sabes
    vale la pena | tienes
  `,
  first: `
    yo | nosotros | nosotras | me | nos
  `,
  other: `
    ella | tu | usted | ustedes | ellos | ellas
  `,
  pastForm: String.raw`
    \p{L}{2,}(?:aba|aban|ia|ian) | era | fue | tuvo | hubo | ha \p{L}+do
    \p{L}{2,}(?:io|aron|ieron) | antes | ex | antigu\p{L}* | anterior\p{L}* | hasta | hace
  `,
  speaker: "yo | nosotros | nosotras",
  mine: String.raw`
    mis? | nuestr\p{L}* | mi[oa]s?
  `,
  theirs: String.raw`
    sus? | suy\p{L}*
  `,
  company: String.raw`
    nosotros | nuestr\p{L}* | mi | mis | ella
  `,
  article: "el | los | la | las | un | una",
  lead: "y | o | pero | pues | en | de | a",
  contrast: "pero",
  turns: "por | y | o | con",
  of: "de | del",
  that: "que | si",
  report: `
    dij(?:o|eron) | dicen? | cont(?:o|aron) | cuentan? | asegur(?:a|o|an|aron)
    afirm(?:a|o|an|aron) | creen? | piensan? | escribi(?:o|eron) | mencion(?:a|o)
    coment(?:a|o) | segun
  `,
  undone: String.raw`
    dudo (?:que|de) | es (?:falso|mentira)
    casi (?!siempre|nunca|tod|nad|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\d|cada|cien)\p{L}+
    por poco | a punto de | me negue | rechac\p{L}* | rechaz\p{L}* | olvide \p{L}+r
    evit\p{L}* \p{L}+r | dej\p{L}* de | fracas\p{L}* | renunci\p{L}* a | vendi(?:o|mos)?
    cancel(?:e|o|amos) | perdi(?:o|mos)?
  `,
  jest: "si,? claro,? y | es broma | (?:en|de) broma | mentira | menti | fingi",
  fiction: "mi personaje | en mi (?:novela|historia|cuento|sueno)",
  correction: "digo | perdon | quiero decir | mejor dicho",
  preference: "mejor | mas bien | prefiero",
  attitude: "gusta | encanta | prefiere",
  whenever: "cuando",
  always: "nunca | siempre",
  sometimes: "a veces",
  edit: String.raw`
    traduc(?!tor)\p{L}* | traduzc\p{L}* | corrige\p{L}* | corrij\p{L}* | reformul\p{L}*
    resum[ea]\p{L}* | reescrib\p{L}* | parafrase\p{L}*
    (?:mejora|completa|continua)\p{L}* (?:la|esta|el|este) | como se dice
  `,
  following: "est[eao]s? | siguiente",
  fromNowOn: "a partir de ahora",
  request: "puedes | podrias",
  courtesy: "por favor",
  reminder: `
    (?:recuerd[ae]|acuerdate|no (?:te )?olvides|ten en cuenta|toma nota|apunta|anota)(?: de)?(?: que)?
  `,
  takesBack: String.raw`
    (?<!no )(?<!no te )olvida(?:te|lo|d)? | borra\p{L}* | elimina\p{L}* | ignora\p{L}*
    (?:era|es|fue|estaba) (?:falso|mentira|un error|incorrecto) | me equivoque | lo retiro
  `,
  user: "usuario | usuaria",
  yes: "si | claro | exacto | correcto | asi | es | efectivamente | supuesto",
  no: "nunca",
  filler: "gracias | eso | lo | soy | tengo",
  morning: "manana",
  afternoon: "tarde | noche",
  half: "medi[oa]",
  quarter: "cuarto",
  feast: "navidad | nochebuena | nochevieja | pascua | semana santa | reyes | dia de",
  roundabout: String.raw`
    semana\p{L}* | primer\p{L}* | segund\p{L}*
  `,
};
