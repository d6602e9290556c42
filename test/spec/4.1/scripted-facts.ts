import type { ScriptedClassification } from "../../support/classification.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectOk, memoryOf, says, unique, write } from "../calls.ts";
import { vector } from "../scripted-models.ts";
import type { Spec } from "../spec.ts";

/** Facts whose vectors and whose classification a test decides. */
export function scriptedFacts(spec: Spec) {
  /** A text whose vector is this one, whatever it says. */
  function fact(text: string, ...direction: number[]): string {
    const content = unique(text);
    spec.script.vectors.set(content, () => vector(...(direction.length === 0 ? [1] : direction)));
    return content;
  }

  /** Has the classifier say this of a fact, and notes what it was shown. */
  function classifies(content: string, said: ScriptedClassification = { supersededIndex: 0 }) {
    const shown: string[][] = [];
    spec.script.classifications.set(content, ({ fact: { decision }, candidates }) => {
      shown.push([decision, ...candidates.map((each) => each.decision)]);
      return said;
    });
    return shown;
  }

  /** Has a user take back what the classifier then finds first; returns the response. */
  async function takeBack(account: TestAccount, text: string, more: object = {}) {
    const opening = unique("Forget that");
    spec.script.extractions.set(opening, () => []);
    spec.script.retractions.set(opening, [{ text, messageIndex: 0 }]);
    classifies(text);
    const body = { messages: [says(opening)], auto_supersede: true, ...more };
    const answer = await write(account, body);
    expectOk(answer);
    return answer.body;
  }

  return { fact, classifies, takeBack };
}

/** Writes a fact with automatic supersession on, and returns its outcome. */
export async function writeFact(account: TestAccount, content: string, more: object = {}) {
  const answer = await write(account, { content, auto_supersede: true, ...more });
  expectOk(answer);
  return answer.body as { memory_id: string; auto_supersede: Record<string, unknown> };
}

export async function isSuperseded(account: TestAccount, id: string): Promise<boolean> {
  return (await memoryOf(account, id)).temporal.is_superseded;
}
