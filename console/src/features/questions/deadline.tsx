import { countdown } from "../../lib/format.ts";
import { StateIcon } from "../../ui/state.tsx";
import { Countdown, useNow } from "../../ui/time.tsx";

const WARNING_MS = 60_000;

/** How long there is left, and what happens then; the last minute is announced. */
export function Deadline({ at }: { readonly at: string }) {
  const now = useNow(1_000);
  const left = Date.parse(at) - now.getTime();
  const isSoon = left <= WARNING_MS;
  return (
    <div className={`mt-4 flex items-start gap-1.5 ${isSoon ? "text-failed" : "text-waiting"}`}>
      <span className="mt-0.5">
        <StateIcon state="waiting" decorative />
      </span>
      <p>
        {left > 0 ? (
          <>
            <Countdown until={at} /> left. Without an answer, the run fails.
          </>
        ) : (
          "The time is over."
        )}
      </p>
      <p role="alert" className="sr-only">
        {isSoon && left > 0 && `Less than ${countdown(new Date(WARNING_MS), new Date(0))} left to answer.`}
      </p>
    </div>
  );
}
