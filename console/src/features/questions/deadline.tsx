import type { ShownApproval } from "#domain/approvals/order.ts";
import { countdown } from "../../lib/format.ts";
import { StateIcon } from "../../ui/state.tsx";
import { Countdown, useClock } from "../../ui/time.tsx";

const WARNING_MS = 60_000;

const ENDINGS = {
  fail: "Without an answer, the run fails.",
  deny: "Then the call is denied.",
  allow: "Then the call is allowed without approval.",
} as const;

/** How long there is left, and what happens then; the last minute is announced. */
export function Deadline({ at, approval }: { readonly at: string; readonly approval?: ShownApproval | undefined }) {
  const due = Date.parse(at);
  const isSoon = useClock((now) => due - now.getTime() <= WARNING_MS);
  const isOver = useClock((now) => due <= now.getTime());
  return (
    <div className={`mt-4 flex items-start gap-1.5 ${isSoon ? "text-failed" : "text-waiting"}`}>
      <span className="mt-0.5">
        <StateIcon state="waiting" decorative />
      </span>
      <p>
        {isOver ? (
          "The time is over."
        ) : (
          <>
            <Countdown until={at} /> left.{" "}
            {approval?.escalates === true ? "Then more people are asked." : ENDINGS[approval?.otherwise ?? "fail"]}
          </>
        )}
      </p>
      <p role="alert" className="sr-only">
        {isSoon && !isOver && `Less than ${countdown(new Date(WARNING_MS), new Date(0))} left to answer.`}
      </p>
    </div>
  );
}
