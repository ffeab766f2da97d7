import type { Contribution } from "./discussion.ts";

/**
 * A discussion as the run's output: the last contribution, a rule, the heading "Discussion", then every contribution in
 * order under a heading with its number and speaker.
 */
export function transcript(thread: readonly Contribution[]): string {
  const all = thread.map(({ by, text }, index) => `### ${index + 1}. ${by.name}\n\n${text}`);
  return [thread.at(-1)?.text ?? "", "---", "## Discussion", ...all].join("\n\n");
}
