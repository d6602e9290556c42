import type { DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";

/**
 * The comment of a declaration as CommonMark, each paragraph and each item of a list
 * on one line; undefined where there is none.
 */
export function descriptionOf(
  desc: DescField | DescMessage | DescMethod | DescService,
): string | undefined {
  const comment = getComments(desc).leading?.replaceAll(/^ /gm, "").trim();
  if (!comment) return undefined;
  return comment.replaceAll(/(?<!\n)\n(?!\n|- )\s*/g, " ");
}

/** The first sentence of a description, without its full stop. */
export function summaryOf(description: string): string {
  const [paragraph = ""] = description.split("\n");
  return /^.*?(?=\.(?:\s|$))/.exec(paragraph)?.[0] ?? paragraph;
}
