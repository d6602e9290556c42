import type { Lexicon } from "./lexicon.ts";

export const FRENCH: Lexicon = {
  common: String.raw`
    le | la | les | et | est | je | j'ai | j'habite | c'est | un | une | des | du | de | mon
    ma | mes | dans | pour | avec | sur | suis | ai | a | au | aux | en | nous | on | il | elle
    pas | ne | qui | que | chez | depuis | l'utilisateur | l'utilisatrice | utilisateur
    utilisatrice | j'\p{L}+ | qu'\p{L}+ | d'\p{L}+ | l'\p{L}+ | fais | habite | travaille | aime
    tres | plus | mais | ce | cette | nos | notre | sa | son | tout | avant | j | bosse
  `,
  negation: String.raw`
    pas | jamais | aucun\p{L}* | rien | ni | sans | personne | non | plus de | plus du
    n'\p{L}+ plus | ne \p{L}+ plus | ne mange plus | guere | nulle part | nullement | tout sauf
    a peine | point | rarement
    (?:ai|as|a|ont|avons|suis|est|\p{L}{3,}[es]) plus(?= (?:le|la|les|de|du|d'|mon|ma|mes|au|en|a|depuis)|$)
  `,
  affirming: String.raw`
    pas seulement | non seulement | pas de souci | pas de probleme | n'est-ce pas | pas mal
    sans doute | sans probleme | (?:pas|jamais|rien|peux pas) (?:\S+ ){0,5}sans
    me lasse (?:jamais|pas)
    (?:peux|pourrais) pas (?:m'en passer|me passer|resister|m'empecher|vivre)
    rien (?:de tel|de mieux|ne vaut) | ne (?:rat|loup|manqu)\p{L}* (?:jamais|aucun\p{L}*|pas)
    (?:jamais|pas) (?:rater|manquer|louper) | pas (?:un|une) (?:jour|semaine|matin|soir) sans
    ne (?:\S+ ){1,2}que
  `,
  reversal: String.raw`
    detest\p{L}* | hai\p{L}* | evit\p{L}* | arret\p{L}* | cess\p{L}* | quitt\p{L}* | parti\p{L}*
    demission\p{L}* | abandonn\p{L}* | annul\p{L}* | vendu\p{L}* | perdu\p{L}* | celibataire
    chomage | veget\p{L}* | vegan\p{L}* | \p{L}*allerg\p{L}* | \p{L}*intoleran\p{L}*
    ancien\p{L}* | ex | refus\p{L}* | manque\p{L}* | incapable | rarement | seulement | sauf
    interdi\p{L}* | proscri\p{L}* | peu | mort\p{L}* | peur | separ\p{L}* | divorc\p{L}* | sobre
    \p{L}*phobe | encadrer | jet\p{L}* | donne\p{L}* | supprim\p{L}* | debarrass\p{L}*
  `,
  wish: String.raw`
    veux | veut | voul\p{L}* | voudr\p{L}* | aimer\p{L}* | espere\p{L}* | souhait\p{L}*
    prevo\p{L}* | prevu | compte\p{L}* | envisag\p{L}* | projet\p{L}* | reve\p{L}* | vais | va
    allons | allez | vont | un jour | bientot | essa\p{L}* | cherche\p{L}* | envie | pense a
    penser a | \p{L}{2,}(?:erai|irai|rai|era|ira|erons|irons|eront) | inscri\p{L}*
    postul\p{L}* | candidat\p{L}* | \p{L}{2,}erions | j'aimerais | j'adorerais | prochain\p{L}*
    hate | tente\p{L}* | economis\p{L}* | si seulement | dans \p{L}+ (?:jours|semaines|mois|ans)
  `,
  past: String.raw`
    avant | autrefois | jadis | auparavant | a l'epoque | dans le temps | naguere
    etant (?:petit|petite|enfant) | jusqu'(?:en|a|au|aux) | dans ma jeunesse
    ne (?:\p{L}+ ){1,2}plus | n'\p{L}+ plus | quand j'etais | ancien\p{L}*
    de (?:19|20)\d\d a (?:19|20)\d\d | etais | etait | etions | avais | avait | avions
    habit(?:ais|ait|ions) | travaill(?:ais|ait|ions) | viv(?:ais|ait|ions) | jou(?:ais|ait)
    fum(?:ais|ait)
  `,
  condition: String.raw`
    si | s'il | s'ils | peut-etre | peut etre | probablement | sans doute | supposons
    imagin\p{L}* | au cas ou | pourrai\p{L}* | serai\p{L}* | aurai\p{L}* | \p{L}{2,}rais
    \p{L}{2,}rait | a condition | sauf si | en cas | tant que | parait | soi-disant | comme si
    j'avais | j'etais | meme si
  `,
  asking: String.raw`
    quel\p{L}* | comment | ou est | ou sont | ou puis | ou trouver | pourquoi | qui | qu'est-ce
    est-ce | combien | quand | puis-je | peux-tu | pouvez | pourrais-tu | dois-je | faut-il
    traduis\p{L}* | ecri\p{L}* | expliqu\p{L}* | reponds\p{L}* | donne\p{L}* | montre\p{L}*
    fais | cherche | imagine\p{L}* | sois | a partir de maintenant | s'il te plait | aide\p{L}*
    est-il | est-elle | y a-t-il | as-tu | avez-vous | tu (?:connais|sais|peux)
    vous (?:connaissez|savez|pouvez) | ca (?:coute|vaut)
  `,
  first: `
    je | j'ai | j'en | j'y | j | moi | nous | me | on
  `,
  other: `
    il | elle | tu | vous | ils | elles | lui
  `,
  pastForm: String.raw`
    \p{L}{2,}(?:ait|ais|aient) | etait | avait | a \p{L}+(?:e|i|u|it|is) | ont \p{L}+
    ancien\p{L}* | avant | autrefois | jusqu\p{L}* | ex | fut
  `,
  speaker: String.raw`
    je | j'\p{L}+ | nous | on
  `,
  mine: String.raw`
    mon | ma | mes | notre | nos | mien\p{L}*
  `,
  theirs: "son | sa | ses | leur | leurs",
  company: "nous | nos | notre | mon | ma | mes | on | il | elle",
  article: "le | la | les | l' | un | une",
  lead: "et | ou | mais | donc | bon | en | de",
  contrast: "mais",
  turns: "par | et | ou | avec",
  of: "de | du | des | d'",
  that: "que | qu' | si",
  report: `
    (?:a|ont|avait) (?:dit|raconte|ecrit|mentionne|affirme|explique|pretendu|assure) | dit
    disent | pretend(?:ent)? | pense(?:nt)? | croi(?:t|ent) | affirme(?:nt)? | d'apres | selon
  `,
  undone: String.raw`
    doute(?:s|r)? (?:que|d'|d) | (?:est|etait) faux | failli | a deux doigts | (?:essaye|tente)\p{L}* (?:de|d') ?
    refus\p{L}* (?:de|d'|le|la|un|une|l'|les) ? | oublie\p{L}* (?:de|d') ? | echoue\p{L}* a
    evite\p{L}* (?:de|d') ? | renonce\p{L}* a | arrete\p{L}* (?:de|d') ?
    cesse\p{L}* (?:de|d') ? | decline\p{L}* | vendu\p{L}* | annule\p{L}* | resilie\p{L}*
    perdu\p{L}*
  `,
  jest: `
    bien sur,? et | je (?:plaisante|rigole) | pour (?:rire|rigoler) | par plaisanterie
    j'ai menti | fait semblant
  `,
  fiction: "mon personnage | dans mon (?:roman|reve|histoire)",
  correction: "pardon | non,? attends | je veux dire | enfin non",
  preference: "plutot",
  attitude: "aime | adore | prefere",
  whenever: "quand | lorsque",
  always: "jamais | toujours",
  sometimes: "parfois",
  edit: String.raw`
    tradui\p{L}* | traduction de | corrige\p{L}* | reformule\p{L}* | resume\p{L}* | reecri\p{L}*
    paraphrase\p{L}* | relis\p{L}* | ameliore\p{L}*
    (?:complete|continue)\p{L}* (?:la|cette|ce|le|l'histoire) | comment (?:dit-on|dire)
  `,
  following: String.raw`
    ceci | ce | cette | suivant\p{L}*
  `,
  fromNowOn: "a partir de maintenant",
  request: "peux-tu | pouvez-vous | pourrais-tu",
  courtesy: "s'il (?:te|vous) plait",
  reminder: `
    (?:n'oubliez? pas|souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|retiens|retenez|note[zs]?)(?: bien)?(?: que| qu'| de)?
  `,
  takesBack: String.raw`
    (?<!n')oublie[zr]?(?! pas) | efface[zr]? | supprime[zr]? | ignore[zr]?
    (?:etait|est) (?:faux|une erreur|errone|fini|termine) | me suis trompe\p{L}* | je retire
    plus (?:vrai|valable)
  `,
  user: "utilisateur | utilisatrice",
  yes: "oui | ouais | exact | exactement | tout | fait | bien | sur | effectivement | voila",
  no: "non | pas | jamais",
  filler: "merci | c'est | je | suis | ca | d'accord",
  morning: "matin",
  afternoon: "soir",
  half: "demie?",
  quarter: String.raw`
    quart\p{L}*
  `,
  feast: "noel | reveillon | paques | toussaint | jour de l'an | jour de",
  roundabout: String.raw`
    semaine\p{L}* | premier | deuxieme | huit | quinze
  `,
};
