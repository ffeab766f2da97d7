import { Suspense, lazy } from "react";
import { loadPart } from "../../lib/load-part.ts";
import type { Question } from "./records.ts";

const RuleDetails = lazy(() => loadPart(() => import("./rule-details.tsx")));

/** Of an approval that a rule asks for: why, who has voted, and who may still vote; nothing for other questions. */
export function RuleNotice({ question }: { readonly question: Question }) {
  if (question.request.approval === undefined) return null;
  return (
    <Suspense>
      <RuleDetails question={question} />
    </Suspense>
  );
}
