const TAG =
  /[<[](\/?)(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)(?:\s[^<>[\]]{0,100})?[>\]]/giu;

/**
 * What a model wrote, without what it thought before: `<think>…</think>`, also where the
 * end is missing, and where the beginning is, which servers leave out.
 */
export function withoutThinking(text: string): string {
  let said = "";
  let from = 0;
  let isThinking = false;
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (slash === "") {
      if (!isThinking) said += text.slice(from, index);
      isThinking = true;
      continue;
    }
    if (!isThinking) said = "";
    isThinking = false;
    from = index + tag.length;
  }
  return isThinking ? said : said + text.slice(from);
}
