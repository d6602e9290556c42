import type { Lexicon } from "./lexicon.ts";

export const PORTUGUESE: Lexicon = {
  common: `
    o | a | os | as | e | sou | estou | um | uma | de | do | da | dos | das | no | na | nos
    nas | em | meu | minha | meus | minhas | com | para | por | tenho | tem | que | eu | ao
    desde | ha | mas | muito | nao | usuario | usuaria | utilizador | utilizadora | moro
    trabalho | faco | ontem | hoje | anos | cada | todos | isso | quando | era | vou | vai | fui
    esta | pra | pro | dela | dele | fazer | nosso | nossa | ele | ela | sua | seu
  `,
  negation: String.raw`
    nao | nunca | jamais | nada | nenhum\p{L}* | sem | nem | ninguem | tampouco | n | num
    tampouco | longe de | tudo menos | quase nunca | mal | raramente | poucas vezes
  `,
  affirming: String.raw`
    nao so | nao apenas | nao vejo a hora | sem duvida | nao e | por que nao
    nao (?:\p{L}+ ){0,4}sem | nao ha (?:\p{L}+ ){1,3}(?:que|em que) (?:\p{L}+ )?nao
    nada (?:como|melhor|supera) | nao (?:me )?(?:perco|canso|arrependo|resisto|abro mao)
    nao (?:consigo|posso) (?:parar|resistir|deixar) | nao (?:o |a )?troco
    nunca (?:perco|falto|esqueco) | ninguem (?:\p{L}+ ){0,2}melhor
  `,
  reversal: String.raw`
    odei\p{L}* | detest\p{L}* | evit\p{L}* | parei | parou | parar | deix\p{L}* | larg\p{L}*
    abandon\p{L}* | cancel\p{L}* | vendi | vendeu | perd\p{L}* | solteir\p{L}*
    desempregad\p{L}* | veget\p{L}* | vegan\p{L}* | \p{L}*alergi\p{L}* | \p{L}*intoleran\p{L}*
    ex | antig\p{L}* | recus\p{L}* | incapaz | raramente | so | apenas | proib\p{L}*
    separ\p{L}* | divorci\p{L}* | morre\p{L}* | medo | pouc[oa]s? | exceto | menos
    abstemi\p{L}* | jogu\p{L}* fora | doei | doou | apagu\p{L}* | livrei
  `,
  wish: String.raw`
    quer\p{L}* | gostaria\p{L}* | adoraria\p{L}* | esper[oa]\p{L}* | planej\p{L}* | plane\p{L}*
    pretend\p{L}* | penso em | pensando em | pensamos em | sonh\p{L}* | vou | vai | vamos | vao
    um dia | tent\p{L}* | procur\p{L}* | tomara | desej\p{L}*
    \p{L}{2,}(?:arei|erei|irei|aremos|eremos) | inscrev\p{L}* | candidat\p{L}* | vontade
    proxim\p{L}* | poupa\p{L}* | quero | queria\p{L}* | daqui a | em breve | quem me dera
    adorava | gostava
  `,
  past: String.raw`
    antes | antigamente | anteriormente | outrora | costumava | costumavamos | quando era
    em crianca | ate (?:o|a|ao|ha|(?:19|20)\d\d) | ja nao | nao (?:\p{L}+ ){1,3}mais
    na minha (?:juventude|infancia) | de (?:19|20)\d\d a (?:19|20)\d\d | \p{L}{3,}ava(?:mos|m)?
    era | eramos | tinha(?:mos)? | vivia(?:mos)?
  `,
  condition: String.raw`
    se (?:eu|voce|a gente|nos|ele|ela|fosse|tivesse|pudesse|algum) | talvez | provavelmente
    quem sabe | caso eu | supon\p{L}* | imagin\p{L}* | poderia\p{L}* | seria\p{L}* | teria\p{L}*
    \p{L}{2,}(?:aria|eria|iria) | fosse | tivesse | pode ser que | como se | se | caso
    desde que | a menos que | supostamente | dependendo | se calhar | oxala
  `,
  asking: String.raw`
    o que | qual | quais | como (?:posso|se|faco|e) | onde | por que | porque | quem
    quant[oa]\p{L}* | quando (?:e|posso|devo) | posso | pode | podes | poderia | devo | deveria
    sera que | e (?:verdade|normal|possivel) | traduz\p{L}* | escrev\p{L}* | explic\p{L}*
    respond\p{L}* | da-me | me da | mostra\p{L}* | faz\p{L}* | procura | imagina | finge
    a partir de agora | por favor | ajud\p{L}* | da para | vale a pena | conhece\p{L}*
    sabe\p{L}* | tem como | tens
  `,
  first: `
    eu | nos | me | a gente
  `,
  other: `
    ele | ela | voce | voces | tu | eles | elas
  `,
  pastForm: String.raw`
    \p{L}{2,}(?:ava|avam|ia|iam) | era | eram | foi | teve | tinha | \p{L}{2,}(?:ou|eu|iu)
    antes | ex | antig\p{L}* | anterior\p{L}* | ate
  `,
  speaker: "eu | nos | a gente",
  mine: "meus? | minhas? | noss[oa]s?",
  theirs: "seus? | suas? | del[ea]s?",
  company: "nosso | nossa | meu | minha | a gente | ele | ela",
  article: "o | os | a | as | um | uma",
  lead: "e | mas | entao | em | da | na | do | de | o | a",
  contrast: "mas",
  turns: "por | pel[oa] | e | ou | com",
  of: "de | do | da | dos | das",
  that: "que | se",
  report: `
    diss(?:e|eram)(?:-me)? | diz(?:em)? | cont(?:ou|aram)(?:-me)? | afirm(?:a|ou|am) | acham?
    pensam? | escreve(?:u|ram) | mencion(?:a|ou) | segundo
  `,
  undone: String.raw`
    duvido | e (?:falso|mentira) | tentei | tentou
    quase (?!sempre|nunca|tod|nad|um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|\d|cada|cem)\p{L}+
    por pouco | recus\p{L}* | esqueci(?:-me)? de | evit\p{L}* \p{L}+r | deix\p{L}* de | parei de
    desisti\p{L}* | vendi | vendeu | cancelei | cancelou | perdi | perdeu
  `,
  jest: "brincadeira | estou a brincar | a brincar | menti | fingi",
  fiction: "meu personagem | minha personagem | no meu (?:romance|conto|sonho)",
  correction: "alias | quero dizer | desculpa | ou melhor",
  preference: "antes | prefiro",
  attitude: "gosta | adora | prefere",
  whenever: "quando",
  always: "nunca | sempre",
  sometimes: "as vezes",
  edit: String.raw`
    tradu[zc]\p{L}* | corrig\p{L}* | corrij\p{L}* | reformul\p{L}* | resum[ae]\p{L}*
    reescrev\p{L}* | parafrase\p{L}* | complet[ae]\p{L}* (?:a|esta|o|este) | como se diz
  `,
  following: "est[ea]s? | isto | seguinte",
  fromNowOn: "a partir de agora",
  request: "podes | voce pode | poderia",
  courtesy: "por favor",
  reminder: `
    (?:lembr[ae](?:-te|-se)?|nao (?:te )?esque[cç]as?|tem em conta|toma nota|anota)(?: de)?(?: que)?
  `,
  takesBack: String.raw`
    (?<!nao )(?<!nao te )(?<!nao se )esquec[ea](?:m|-te|-se)? | apag\p{L}* | elimin[ea]\p{L}*
    remov[ea]\p{L}* | ignor[ea]\p{L}* | (?:era|estava|foi|e) (?:falso|mentira|errad[oa]|um erro)
    me enganei | enganei-me
  `,
  user: "usuario | usuaria | utilizador | utilizadora",
  yes: "sim | isso | exato | exatamente | certeza | certo",
  no: "nao",
  filler: "obrigado | obrigada | sou",
  morning: "manha",
  afternoon: "tarde | noite",
  half: "mei[oa]",
  quarter: "quarto",
  feast: "natal | pascoa | reveillon | carnaval | dia de",
  roundabout: String.raw`
    semana\p{L}* | primeir\p{L}* | segund\p{L}*
  `,
};
