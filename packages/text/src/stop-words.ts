/**
 * Words that say little about what a text is about. They count for almost
 * nothing in an embedding and for nothing in the search for an answer.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those some any each every all both either neither such same other another
  i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs
  who whom whose what which when where why how
  am is are was were be been being isn't aren't wasn't weren't
  have has had having haven't hasn't hadn't do does did doing done don't doesn't didn't
  can could will would shall should may might must can't couldn't won't wouldn't shouldn't
  i'm i've i'd i'll we're we've we'll you're you've they're it's that's what's who's where's when's how's he's she's there's let's
  and or but nor so if then than because while although though as until unless whether
  of in on at to from by with about into onto over under out up down off for through during before after
  between among against within without toward towards per via upon near
  not no nor only just also too very really quite rather even still yet ever never again already now currently
  there here please tell know say said says get gets got give given let make made
  thing things something anything someone anyone everyone one ones lot lots kind sort
  many much s t d m re ve ll`.split(/\s+/u),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Words that are met in very many facts, so that sharing one says less than sharing a rare one. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `user users person people man woman guy time times day days week weeks month months year years
  go goes going went come comes came take takes took use uses used want wants wanted need needs needed
  think thinks thought see sees saw look looks good great nice new old big small many much more most
  first last next well way back long little own right left keep keeps kept put start started try tried
  feel feels felt find found become became seem seems happen happened morning evening today tomorrow yesterday
  set run runs called call change changed switch switched update updated`.split(/\s+/u),
);

export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word);
}
