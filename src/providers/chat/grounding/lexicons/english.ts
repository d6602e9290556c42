import type { Lexicon } from "./lexicon.ts";

export const ENGLISH: Lexicon = {
  common: `
    the | and | is | are | was | i | i'm | im | my | to | of | in | a | an | with | for | on
    it | have | has | at | we | you | but | not | that | this | from | be | do | don't | user
    user's | their | by | as | who | when | since | my | his | her | our | they | he | she
    live | lives | work | works | just | so | very | all | had | been | has | can | can't
    would | about | after | out | up | like | get | got | if | me | am | us | them | him
    neither | nor | no | never | what | how | where | now | will | want | wants | there | here
    one | some | any | because | every | last | next | more | too | than | only | also | day
    year | years | since | into | over | did | does | went | going | make | take | think | know
    really | still | she's | he's | it's | that's | i've | i'd | i'll | we're | they're | didn't
    doesn't | isn't | wasn't
  `,
  negation: String.raw`
    not | \p{L}+n't | cannot | cant | dont | doesnt | didnt | isnt | arent | wasnt | wont
    havent | hasnt | couldnt | wouldnt | no | never | none | neither | nor | nobody | nothing
    nowhere | without | nope | hardly | barely | scarcely | seldom | dont | doesn | dnt | didn
    aint | nah | anything but | far from | least of all | zero \p{L}+ | rarely | infrequently
    not much
  `,
  affirming: String.raw`
    can't wait | cant wait | cannot wait | not only | not just | no doubt | no problem
    no worries | why not | don't forget | nothing but | can't help | no wonder | no less than
    not bad | not to mention | if not | isn't it | doesn't it | don't you think
    (?:can't|cannot|can not|cant|couldn't|couldnt) (?:\p{L}+ )?(?:wait|help|stop|resist|not \p{L}+|(?:live|do|cope|function|sleep) without|get enough|imagine|be (?:happier|better|prouder|more)|say no)
    (?:wouldn't|won't|would never|'d never|i'd never|never|don't ever|didn't) (?:ever )?(?:trade|swap|exchange|miss|skip|say no|pass up|part with|forget|get (?:tired|bored)|tire|grow tired|looked? back|regret\p{L}*)
    (?:no one|nobody|nothing|never|none|no \p{L}+) (?:\S+ ){0,2}(?:beats?|tops?|like|better|happier|more|compares?|comes? close|\p{L}{3,}ier) ?
    (?:not|never|cannot|hardly|barely|scarcely|no one|nobody|no \p{L}+|\p{L}+n't) (?:\S+ ){0,6}(?:without|for nothing|\p{L}+n't)
    not (?:un\p{L}{4,}|a (?:day|week|night|morning|month) (?:goes|passes|without|that|when|i)|to mention|bad|until|before|the only)
    no (?:stranger|shortage|lack|less|fewer|matter|secret|joke) | no thanks to
    don't get me wrong | couldn't agree more | know if | can't complain | not kidding
    no kidding | (?:wouldn't|don't|won't|doesn't|not) (?:mind|averse|opposed|object)
    wouldn't dream
  `,
  reversal: String.raw`
    dislik\p{L}* | hat(?:e|es|ed) | avoid\p{L}* | quit\p{L}* | stop\p{L}* | ex | former\p{L}*
    g[ia]ve up | given up | got rid | refus\p{L}* | lack\p{L}* | unable | intoleran\p{L}*
    allerg\p{L}* | vegan | vegetarian | unmarried | single | left | leave | leaving
    resign\p{L}* | fired | laid off | ended | no more | unemployed | uninterested | indifferent
    retired | cancel\p{L}* | sold | lost | fail\p{L}* | divorced | sober | abstain\p{L}* | free
    few | little | hardly | barely | rarely | seldom | fear\p{L}* | afraid | away | off
    broke\p{L}* | only | instead | rather | skip\p{L}* | missing | un\p{L}{4,} | ban(?:s|ned)?
    forbid\p{L}* | forbidden | prohibit\p{L}* | \p{L}{3,}free | \p{L}{3,}less | no-go
    off limits | steer\p{L}* clear | clear of | swore? off | sworn off | allerg\p{L}*
    alerg\p{L}* | can't stand | done with | over with | ran out | used to | gone | dead | died
    terrified | scared | terrible | bad | worst | split | separated | teetotal | down to
    banned | never | against | except | apart from | stay away | cut out | binned | threw
    thrown | ditched | dumped | tossed | gave away | donated | scrapped | deleted | uninstalled
    shut down
  `,
  wish: String.raw`
    wants? | wanted | wanna | wish\p{L}* | hop(?:e|es|ing) | plan | plans | planning | planned
    intend\p{L}* | gonna
    going to (?:be|have|buy|get|move|start|quit|stop|leave|study|learn|build|become|take|make|sell|adopt|marry|retire|open|join|try|do|go|work|live)
    (?<!you )will | (?!you)\p{L}+'ll | would (?:like|love) | \p{L}+'d (?:like|love)
    thinking (?:of|about) | consider\p{L}* | dream\p{L}* | looking (?:for|to|into|at) | one day
    someday | trying to | tr(?:y|ies) to | about to | need to | hopefully | saving (?:up )?for
    signed up | sign(?:ing)? up | put (?:my|our) name down | applied | applying | booked
    if only | dying to | can't wait | cant wait | keen to | itching to | craving
    aim(?:s|ing)? to | due to | set to | looking forward | wouldn't mind | would kill | 'd kill
    i'd kill | fancy | oh to | love to | like to (?:have|be|own)
    next (?:week|month|year|spring|summer|autumn|fall|winter)
    come (?:spring|summer|autumn|fall|winter|\p{L}+day) | getting married | in talks
    on track to | considering | tempted | up for | maybe i'll | bound for | moving to
    ask(?:s|ed|ing)? for | request\p{L}* | offer(?:s|ed|ing)?
  `,
  past: String.raw`
    (?<!(?:am|is|are|was|be|get|got|getting|'m|'re|'s) )used to | formerly | previously
    back then | in the past | in those days | once upon | years ago | as a (?:child|kid)
    when i was
    (?:was|were|had|lived|worked|served|played|stayed|taught|drove|ran|\p{L}{2,}ed) (?:\S+ ){0,8}(?:until|till) (?:last|20\d\d|19\d\d|my|the|i|we|recently|spring|summer|winter|autumn|fall)
    as (?:a|an) (?:child|kid|teen\p{L}*|student|girl|boy|young \p{L}+)
    in my (?:teens|twenties|youth|childhood|20s|30s|student days)
    back in (?:the day|my \p{L}+|college|school|uni) | in another life
    from (?:19|20)\d\d to (?:19|20)\d\d | not anymore | no longer | any ?more
    when i (?:was|lived|worked|studied) | before (?:i|we) (?:moved|had|quit|switched)
    once (?:had|was|owned|lived|worked|played) | my old
    late (?:husband|wife|father|mother|dad|mum|mom) | ex-\p{L}+ | in the (?:19)?\d0s
    until (?:last|recently|\d{4}|the|my|i|we) (?:\S+ ){0,3}(?:i|we|he|she|they) (?:had|was|were|lived|worked|owned|\p{L}{2,}ed)
    back then | in (?:college|school|high school|uni|my \p{L}+ days)
  `,
  condition: String.raw`
    if | unless | suppos\p{L}* | imagin\p{L}* | assum\p{L}* | hypothetical\p{L}* | pretend\p{L}*
    maybe | perhaps | might | possibly | probably | would(?! (?:say|rather|prefer|like|love))
    (?<!never |ever )could(?! (?:never|eat|talk|spend)) | whether | wonder\p{L}*
    (?:i|we|he|she|they|it|that)'d(?! (?:say|rather|prefer|like|love|been|had|never|always|just))
    say i | let's say | not sure | unsure | in case | as long as | provided | providing
    should i | should we | were i | were we | had i
    once (?:i|we)(?! (?:had|was|were|owned|lived)) | depend\p{L}* | otherwise | either
    or maybe | i guess | apparently | supposedly | allegedly | rumou?r\p{L}* | as if | as though
    even if | only if | what if | wish | in theory | for the sake of | lets say | kind of
    sort of | may(?= (?:be|have|get|go|move))
    (?:thought|believed|assumed|figured) (?:i|it|we|that|he|she)
  `,
  asking: `
    what | what's | how | where | where's | why | who | who's | which
    when (?:is|do|does|can|should) | is it | is there | are there | can (?:i|you|we)
    could (?:i|you|we) | should (?:i|we) | do (?:i|you|we) | does | did (?:i|you) | am i
    are you | is (?:my|the|a) | will (?:i|you) | would you | any | recommend | suggest | tell me
    help me | write | translate | explain | answer | respond | reply | act | behave | make
    give | show | list | find | draft | plan | suggest | remind | book | set | add | say | talk
    speak | pick | choose | imagine | pretend | need help | should i | should we | will it
    would it | does (?:my|the|a|it) | is (?:this|that|there) | are (?:my|the|these|those)
    has (?:my|the|it) | have (?:you|they) | had (?:you|we) | anyone | ever | think i
    be (?:a|my|like) | use (?:only|a|the|more|less) | stop | please | from now on
    always (?:reply|answer|respond|use|write|speak|talk|call) | always answer
    don't (?:use|say|answer|write) | keep (?:it|your|answers) | any ideas? | any tips
  `,
  first: `
    i | i'm | im | i've | ive | i'd | i'll | we | we're | we've | we'd | we'll | me | us
  `,
  other: `
    he | he's | she | she's | you | you're | you've | they | they're | they've
  `,
  pastForm: String.raw`
    used | was | were | had | did | been | (?!need|feed|speed)\p{L}{2,}ed | former\p{L}*
    previous\p{L}* | ex | past | until | till | ago | left | quit | met | went | got | bought
    sold | drove | taught | ran | wrote | grew | kept | made | took | spent | lost | won | knew
    began | ate | drank | spoke
  `,
  speaker: "i | i'm | im | i've | ive | i'd | i'll | we | we're | we've | we'd | we'll",
  mine: "my | our | mine | ours",
  theirs: "his | her | hers | their | theirs",
  company: "we | us | our | my | he | she | him | her",
  article: "the | a | an | one of my | both my | all my | this | that",
  lead: `
    and | but | so | or | ok | okay | hey | hi | oh | um | well | now | then | also | just | pls
    plz | please | no | yes | yeah | btw | by | in | at | for | to
  `,
  contrast: "but | it | it's | there | there's",
  turns: "by | and | or | with",
  of: "of",
  that: "that | whether | how",
  report: String.raw`
    told | tells? | telling | said | says? | saying | mention\p{L}* | claim\p{L}* | thinks?
    thought | believes? | reckon\p{L}* | assum(?:e|es|ed) | insist\p{L}* | swears? | swore
    wrote | writes | texted | announc\p{L}* | suggest(?:s|ed) | states | stated
    (?:has|have|had) it | heard | according to | informed
  `,
  undone: String.raw`
    (?<!no )doubt(?:s|ed|ful)?(?! about it)
    (?:false|untrue|a lie|a myth|nonsense|rubbish) that | den(?:y|ies|ied|ying)
    (?:almost|nearly|just about) (?:\p{L}{2,}ed|bought|got|went|took|made|became|left|quit|lost|won|sold|had|did|died|said|gave|fell|broke|chose|wrote|began|ran|drove)
    close to \p{L}+ing | on the (?:verge|brink|point) of | (?:was|were) going to
    fail(?:s|ed|ing)? to | (?:tried|attempted) to | missed (?:the|my|our) | refus(?:e|es|ed|ing) (?:to|the|an?|my|their|his|her)
    declin(?:e|es|ed|ing) (?:to|the|an?|my|their|his|her)
    reject(?:s|ed|ing)? (?:the|an?|my|their|his|her)
    turn(?:s|ed|ing)? (?:it |them |him |her )?down
    forg(?:et|ets|ot|otten) to(?! (?:mention|say|tell|add|note|ask|feed)) | neglect(?:ed)? to
    avoid(?:s|ed|ing)? \p{L}+ing | stop(?:s|ped|ping)? (?:short of )?\p{L}{2,}ing
    (?:quit|quits|gave up|given up|giving up) \p{L}{2,}ing | kept? (?:me|us) from
    (?:talked|backed|pulled|chickened) (?:\p{L}+ )?out of | missed out on | unable to | meant to
    (?:sold|cancel(?:s|led|ed|ling|ing)?|lost|quit|gave (?:up|away)|given (?:up|away)|got rid of|threw (?:out|away)|returned|scrapped) (?:the|my|our|his|her|their|it|them)
    decided (?:against|not to) | resist(?:ed|s|ing)? \p{L}+ing | opted out of | too \p{L}+ to
    far from being | (?:instead of|rather than) \p{L}+ing
  `,
  jest: String.raw`
    yeah,? right | just kidding | (?:only|totally) joking | jk | (?:was|were|am|'m) joking
    sure,? and | just what i (?:need|love|want)\p{L}* | said no one ever | as if | in my dreams
    \/s | 🙄 | as a joke | for (?:a laugh|laughs|fun i told) | jokingly | i (?:lied|fibbed)
    (?:be|was|am|'m) lying | (?:i|we) pretend(?:ed)?
    (?:is|was|'s) (?:a (?:lie|myth|hoax)|nonsense|rubbish|bogus|made up)
  `,
  lightly: `
    (?:great|wonderful|fantastic|brilliant|perfect|lovely), | oh (?:great|joy|wonderful|lovely)
    basically | practically | virtually | as good as | ha+ ?ha
  `,
  fiction: String.raw`
    my (?:main )?character | protagonist | hero(?:ine)? of my
    in (?:my|the|this) (?:novel|story|book|game|dream|film|movie|play|musical|screenplay|campaign)
    (?:a|my) (?:story|poem|novel|song|script) (?:about|where|in which)
    writing (?:a|my) (?:story|novel)
    (?:book|novel|film|movie|show|series|documentary|article|podcast|song|story) (?:about|on|where|in which)
    horoscope | fortune cookie | tarot | role ?play\p{L}*
  `,
  correction: `
    scrap that | no,? wait | wait | i mean | sorry | correction | make that | actually(?: no)?
    or rather | strike that | my bad
  `,
  preference: "rather | instead | prefer | not really",
  attitude: `
    lov(?:es?|ed) | lik(?:es?|ed) | prefers? | enjoys? | adores? | favou?rite | hates?
    dislikes?
  `,
  whenever: "when | whenever",
  always: "always | never | every | all | severely",
  sometimes: "sometimes | occasionally | now and then | every now | from time to time | might",
  edit: String.raw`
    translat(?!ors?(?!\p{L}))\p{L}* | (?:grammar|spelling|spell) ?check
    (?:put|turn|say|write|render) (?:this|it|that|the following) (?:in|into) | proof ?read
    rewrite | re-?phrase | reword | paraphrase | summari[sz]e | shorten | polish | punctuate
    spell ?check | simplify
    (?:fix|correct|check|improve|clean up) (?:(?:the|this|my|these|following|any|all) )*(?:grammar|spelling|typos?|sentences?|text|punctuation|mistakes|errors|english|wording|style|paragraph|message|email|essay|following)
    (?:correct|fix|continue|complete|finish|edit)(?= ?:)
    (?:complete|finish|continue) (?:the|this|my|following) (?:\p{L}+ )?(?:sentence|story|text|paragraph|poem|letter|line|lyrics)
    make (?:this|it|the following) (?:\p{L}+ ){0,2}(?:more|less|shorter|sound|formal|polite|better)
    (?:is|are) (?:this|these|the following) (?:sentences? |text |phrase )?(?:grammatically )?(?:correct|right|ok)
    how (?:do|would) (?:you|i) say | (?:what's|what is) the \p{L}+ for
  `,
  following: "this | these | the following | below | the (?:text|sentence|paragraph|message)",
  fromNowOn: "from now on",
  request: `
    (?:can|could|would|will) you | (?:i'd|i would) like you to | i (?:want|need) you to
    make sure (?:you|to)? ?| you should | help me
  `,
  courtesy: "hey | hi | ok | okay | so | and | also | please | pls | just",
  reminder: `
    (?:remember|note|keep in mind|bear in mind|(?:don'?t|do not|never) forget|save|store|memori[sz]e|record|write down|be aware|know)(?: (?:this|down|for me|for later|please))*(?: that)?
  `,
  takesBack: String.raw`
    (?<!n't )(?<!not )(?<!never )(?<!\b(?:i|we) (?:\p{L}+ )?)forget(?! to(?!\p{L}))(?:(?= ?[.!,]|$)| (?:that|about|what|everything|it|this|my|the|all|i))
    (?:delete|erase|remove|scratch|strike|scrap|ignore|disregard|undo) (?:that|this|what|everything|it|my|the|all)
    (?:was|were|is|isn't|\p{L}+'s|are|aren't) (?:\p{L}+ )?(?:wrong|false|incorrect|mistaken|a mistake|an error|not true|untrue|not right|out of date|outdated|over|history|no longer (?:true|so|the case))
    i (?:misspoke|was (?:wrong|mistaken)|made a mistake|got (?:it|that) wrong|(?:take|took) (?:it|that) back|mixed (?:it|that|them) up)
  `,
  user: "user",
  yes: `
    yes | yeah | yep | yup | yea | ya | sure | correct | right | exactly | indeed | absolutely
    definitely | true | course | certainly | precisely | totally | affirmative
  `,
  no: "no | nope | nah | never | not | none",
  filler: `
    ok | okay | k | thanks | thank | you | thx | ty | please | i | do | am | we | it | is | was
    that | that's | this | and | well | oh | hm | hmm | um | ah | still | of | it's | he | she
    does | has | have | did | at | all | really | yet | ever | any | more | anymore | great
    nice | cool | good | the | a
  `,
  morning: String.raw`
    \d{1,2} ?a\.?m | morning\p{L}*
  `,
  afternoon: String.raw`
    \d{1,2} ?p\.?m | afternoon\p{L}* | evening\p{L}* | at night
  `,
  half: "half",
  quarter: String.raw`
    quarter\p{L}*
  `,
  feast: `
    christmas | xmas | easter | new year | halloween | thanksgiving | valentine | ramadan | eid
    diwali | hanukkah | passover | pentecost | bank holiday | (?:day|eve) of
  `,
  roundabout: `
    week | weeks | fortnight | before last | after next | first | second | third | fourth | last
  `,
};
