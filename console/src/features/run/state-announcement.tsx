import { useState } from "react";
import { STATE_LABELS, stateOf } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import type { RunHead } from "../records/run-head.ts";

/** Announces each change of the run's state once, and the title of its question; what streams is not announced. */
export function StateAnnouncement({ head }: { readonly head: RunHead }) {
  const { question } = head;
  const state = stateOf(head);
  const current = `${state} ${question?.interactionId ?? ""}`;
  // The state in which the page was opened is its content, not news.
  const [announced, setAnnounced] = useState({ current, text: "" });
  if (announced.current !== current) {
    const title = question === null ? "" : `: ${visibleText(question.title)}`;
    setAnnounced({ current, text: `Status: ${STATE_LABELS[state]}${title}` });
  }
  return (
    <p role="status" className="sr-only">
      {announced.text}
    </p>
  );
}
