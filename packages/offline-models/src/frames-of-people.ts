/**
 * What people are, have and do, one at a time, and by which words they tell of it. A line "#"
 * names an attribute: "plain", where another value ends it though no word says that it is new;
 * "same", what tells whether two values are one. Each further line is a rule, as `frames.ts`
 * reads it: how it tells of the value, if its words alone say which value that is, and the
 * words, which begin behind the person or, with "^", are the whole clause. What stands in
 * angle brackets is a wording that many share (`wordings.ts`). "ends" lists, of such values,
 * which ones a value ends, where that is not all others.
 */
export const FRAMES_OF_PEOPLE = String.raw`
# home
is: (?:lives?|living|lived|resides?|residing|based|settled(?: down)?|home is) (?:in|at|near|on|by|outside) <value>
is: 's (?:home|city|home city|hometown now|place|flat|apartment|house) is (?:in|at|near) <value>
is: ^(?<value>\p{Lu}[\p{L} '-]{1,40}?) (?:is|has been|has become|became) (?:the user's )?(?:new )?home(?: now| since .*| these days)?$
is: ^the user is (?:officially |proud |now )*(?:an? )?(?<value>\p{Lu}[\p{L}-]+)(?: people| residents?| locals?| citizens?|-based| folks?)(?: now)?$
is: been (?:in|near) (?<value>\p{Lu}.+?) since (?:January|February|March|April|May|June|July|August|September|October|November|December|20\d\d|last (?:spring|summer|autumn|fall|winter|year))
became: (?:moved|relocated|emigrated|moving)(?: (?:back|out|over|down|up|house|home|away|again|together|permanently|for good|with [\p{L} ]{2,20}|from [\p{L} ]{2,30}))* (?:to|into) <value>
became: (?:settled(?: down)?|put down roots|(?:bought|found|rented|got) (?:an? |our |their |the )?(?:<lasting>\p{L}+ ){0,2}<home>) in (?<value>\p{Lu}.+)
became: calls? (?<value>\p{Lu}.+?) home
became: (?:left|traded|swapped|exchanged) \p{Lu}[\p{L} ]+? for (?<value>\p{Lu}.+)
became: ^(?:the )?first (?:night|week|morning|day) in (?:the user's |their )?(?:new )?(?<value>\p{Lu}[\p{L}-]+) <home>$
over: left (?<value>\p{Lu}[\p{L} ]+?) (?:behind|for good)
over: moved (?:away|out)(?: (?:of|from) <value>)?
# address, plain
is: 's (?:new |current |home |postal |street )*address is (?!\S+@)<value>
# employer, plain
is: (?:works?|working|employed) (?:as an? [\p{L} -]{3,30} )?(?:at|for) <value>
is: 's (?:employer|company|workplace) is <value>
held: (?:works?|working|employed|worked) <some>{0,4}?(?:at|for|with|by|in|as) <value>
held: an? [\p{L} -]{3,40}? (?:at|for|with) (?<value>\p{Lu}.+)
became: (?:started|begun|began|starting) <the>(?:\p{L}+ )?(?:<job>|work|working) (?:at|with|for|in) <value>
became: (?:started|begun|began|starting) (?:at|with) (?<value><company>)
became: (?:joined|joining) (?<value><company>)
became: (?:got|found|landed|taken|took|accepted|signed) <the>(?:(?!side|second|summer|weekend|part-time|extra)\p{L}+ ){0,3}?<job>(?: (?:at|with|from|for|in) <value>)?
became: (?:left|quit) (?:the |a )?[\p{L}&. ]+? (?:for|to (?:join|work (?:at|for)|go to|found|start)) <value>
became: (?:went|moved over|gone|switched|changed|moved) to work (?:for|at|with) <value>
became: (?:changed|switched) (?:jobs|employers|companies|careers)(?:.*? (?:at|with|to|for) <value>)?
became: (?:opened|founded|started|set up|launched|runs?|owns?) (?<value><business>)
became: (?:at|with) (?<value>(?:\p{Lu}|an? <some>{0,2}<firm>).*) (?:now|from .* on|since .*|these days|nowadays)
over: (?:left|quit|resigned from|walked out of|got fired from|fired from|laid off (?:from|by)) <value>
over: (?:no longer|not) (?:works?|employed|working|with|at) (?:at|for|with|in|by)? ?(?<value>.+?)(?: any ?more| any longer|$)
over: (?:left|quit|resigned|moved on)(?:$| (?:last|this|the user|the (?:company|team|firm)|in|on)(?= |$))
over: ^.{0,40}\blast (?:day|shift|week) (?:at|with) (?<value>[^,;]{2,40}?)(?: (?:was|is|on|in|yesterday|last)\b.*)?$
some became: (?:back|went back|returned) (?:at|to) work|working again
self-employed is: an? freelance \p{L}+|works (?:as a )?freelancer?
self-employed became: self-employed|freelance|freelancing|an? freelancer|an? independent \p{L}+
self-employed became: went freelance
none is: unemployed|jobless|out of work|between jobs|an? (?:stay-at-home|full-time) (?:dad|mum|mom|father|mother|parent)
none held: job hunting|(?:looking|searching) for (?:an? |new |another )*(?:job|work|position)
none became: laid off|fired|let go|made redundant|sacked|dismissed|retired|resigned
none became: (?:quit|left|lost) <the>(?:job|company|firm|employer|work)
none became: (?:handed|turned) in <the>(?:notice|badge|resignation|keys|laptop)
none became: (?:the )?(?:sack|axe|boot|chop)|given <the>(?:notice|pink slip)
none became: (?:gave|put in) <the>(?:two weeks(?:' | )?)?notice|(?:had|worked) <the>last (?:day|shift)(?: at work)?$
none became: let (?:the user )?go|laid off
# title
is: (?:works? as |working as )?(?:an? |the |our )?(?<value>(?:\p{L}+[ -]){0,3}\p{L}+)
is: 's (?:new )?(?:job title|title|role|position|job) is (?:an? |the )?<value>
became: (?:promoted(?: from [\p{L} ]+)? to|made|became|retrained as|qualified as|appointed(?: as)?|started as) (?:an? |the )?(?<value>(?:\p{L}+[ -]){0,3}\p{L}+)
# rent, plain
is: pays? (?:about |around )?<money>(?: an? month| a month| monthly)?(?: in| for| of)? (?:\p{L}+ )?rent
is: 's (?:new |monthly )?rent is (?:about |around )?<money>
became: 's rent (?:went|has gone|rose|goes|got raised|was raised) (?:up |down )?to <money>
became: ^.{1,20}? (?:raised|put up|increased|lowered) (?:the user's |their |the )?rent to <money>
# partner, plain
ends: single > dating, engaged, married
ends: dating > single
ends: engaged > single, dating
ends: married > single, dating, engaged
single is: single|unmarried|unattached|not (?:married|in a relationship)
single became: (?:broke|broken|split) up(?! (?:with )?the)|split|separated|divorced|parted ways|called it quits|no longer together|not (?:been )?together
single became: (?:broke|called) off (?:the|their) (?:engagement|wedding)|called it (?:quits|off)|(?:went|gone) (?:our|their) separate ways
single became: (?:done|over|through|history|no more|no longer a (?:thing|couple|pair|item))$
dating is: (?:dating|seeing|in a (?:new )?relationship)
dating is: (?:has|have|got) an? (?:new )?(?:girlfriend|boyfriend|partner)
dating is: 's (?:new )?(?:girlfriend|boyfriend|partner) is (?:called |named )?\p{Lu}[\p{L}.]+
dating is: ^\p{Lu}\p{L}+ is the user's (?:new )?(?:girlfriend|boyfriend|partner)
dating is: lives with (?:an? |the |their |his |her )?(?:girlfriend|boyfriend|partner)
dating became: started (?:dating|seeing)|met someone
engaged is: engaged|'s fianc[eé]e? is
engaged is: ^\p{Lu}\p{L}+ is the user's fianc[eé]e?
married is: (?:happily )?married(?! (?:couple|name))
married is: 's (?:wife|husband|spouse) is (?:called |named )?\p{Lu}[\p{L}.]+
married is: ^\p{Lu}\p{L}+ is the user's (?:wife|husband)(?: now)?$
married became: tied the knot|eloped|got hitched
# pets, plain
ends: some > none
none is: (?:does not have|has no|have no) (?:any )?pets|petless
some is: (?:has|have|got|adopted|bought|rescued) (?:an? |the |one |two |three )<some>{0,2}<animal>
# school, plain, same grade
is: (?:goes (?:to )?|started |starts |starting |moved (?:up )?(?:in)?to |went (?:in)?to |in |at |into )?(?:an? |the |her |his |their )?(?<value>(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\d{1,2}(?:st|nd|rd|th)) (?:grade|class|form|year)|(?:grade|year|class) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}))r?
is: (?:goes to |started (?:at )?|starts |starting |moved (?:up )?to |in |at |attends )(?<value>\p{Lu}[\p{L}' -]+ (?:Primary|Elementary|Secondary|School|Academy|High|Grammar|Kindergarten|Nursery|Preschool|University|College))
is: (?:goes to |started |starts |starting |moved (?:up )?to |in |at )(?:an? |the |her |his |their )?(?<value>kindergarten|preschool|pre-school|nursery|daycare|(?:primary|elementary|middle|secondary|high|grammar) school|school|university|uni|college)
# studies, plain
is: (?:studies|studying|majors? in|majoring in) (?!(?:in|at|for|with|from|hard|there)\b|.*\b(?:evenings?|weekends?|nights?|courses?|class|online|app)\b)<value>
held: (?:attends?|goes to|enrolled (?:at|in)) (?<value>.*\b(?:uni\p{L}*|college|school|academy|course|programme?|degree)\b.*)
held: an? <some>*(?<value>student|undergrad\p{L}*|apprentice|trainee|intern)
became: (?:switched|changed)(?: from [\p{L} ]+?)? to (?<value><field>)
became: (?:switched|changed) (?:the user's |their |his |her )?(?:majors?|degrees?|courses?|subjects?)(?: from [\p{L} ]+?)? to (?<value>[\p{L} ]+)
became: (?:studies|studying|majoring in) (?!(?:in|at|for|with|from|hard|there)\b)(?<value>.+?) (?:now|instead|these days)
over: graduated|finished (?:uni\p{L}*|college|school|studying|<the>(?:studies|degree|bachelor\p{L}*|master\p{L}*|phd|PhD|apprenticeship|internship|traineeship))|dropped out|left (?:uni\p{L}*|college)|done with (?:uni\p{L}*|college|school)
over: got <the>(?:degree|diploma|phd|PhD|doctorate|bachelor\p{L}*|master\p{L}*)
# thesis
begun held: (?:still )?(?:writing|working on) <the>(?:\p{L}+ )?(?:dissertation|thesis|phd|PhD)|an? (?:phd|PhD|doctoral) (?:student|candidate)
done became: defended(?: <the>(?:thesis|dissertation|phd|PhD))?(?= on| last| this| yesterday| in|$)|(?:handed in|submitted) <the>(?:thesis|dissertation)|got <the>(?:phd|PhD|doctorate)
# age, plain, same number
is: <age>(?: (?:years|yrs) old)?(?: now| today)?$
is: <age> (?:years|yrs) old
became: turned <age>
became: (?:had|celebrated|hit|reached) (?:their |the |the user's )?(?:big )?(?<value>\d{1,2})(?:th|st|nd|rd)?(?: birthday)?
# surname, plain
is: 's (?:surname|last name|family name) is <name>
# diet, plain
ends: vegan > meat, dairy, vegetarian, pescatarian, other diet
ends: vegetarian > meat, vegan, pescatarian, other diet
ends: pescatarian > meat, vegan, vegetarian, other diet
ends: meat > vegan, vegetarian, pescatarian, no meat
ends: no meat > meat
ends: dairy > vegan
ends: fish > vegan, vegetarian
ends: other diet > vegan, vegetarian, pescatarian
meat is: (?:eats?|eating|cooks|started eating|back to(?: eating)?|(?:went|gone) back to(?: eating)?) (?:\p{L}+ (?:and|or) )*(?:some |a bit of )?(?:<meat>|anything|everything)
meat became: (?:no longer|not) (?:an? )?(?:strict )?(?:vegetarian|veggie|pescatarian)
dairy is: (?:eats?|eating|drinks?|started eating|back to(?: eating)?|(?:went|gone) back to(?: eating)?) (?:\p{L}+ (?:and|or) )*(?:some |a bit of )?<dairy>
fish is: (?:eats?|eating|started eating|back to(?: eating)?) (?:\p{L}+ (?:and|or) )*(?:some )?(?:fish|seafood)
dairy became: (?:no longer|not) (?:an? )?(?:strict )?vegan
vegan is: <turned>(?:vegan|plant-based)<enddiet>
vegetarian is: <turned>(?:vegetarian|veggie)<enddiet>
pescatarian is: <turned>pescatarian<enddiet>
other diet is: (?:gone|went|turned|became|eats?|follows?|keeps?|on)? ?(?:an? |the )?(?:omnivore|flexitarian|keto|paleo|carnivore)(?: diet)?
no meat is: (?:does not|never|no longer) eats? (?:any )?<meat>
no meat is: eats no meat
no meat became: (?:gave up|given up|quit|stopped|cut out|sworn off|swore off)(?: eating)? (?:meat|animals)
# way to work, plain, same way
is: (?<value>(?:bikes?|biking|cycles?|cycling|walks?|walking|drives?|driving|carpools?|rides? (?:an?|the|their) \p{L}+|takes? the [\p{L}-]+|taking the [\p{L}-]+)) to (?:the )?(?:work|office|campus|school|university|uni|college|town|lab|shop|studio|site|station)<always>
is: (?:commutes?|commuting|gets? (?:around|about|there|in|to work)|getting (?:around|to work)|(?:goes|travels) (?:around|to work)) (?:by|on) (?:the |their )?(?<value>[\p{L}-]+)<always>
# language of answers, plain
is: (?:wants|prefers|expects) (?:to (?:get|have|receive) )?(?:the )?(?:answers|replies|to be answered) in <name>
`;
