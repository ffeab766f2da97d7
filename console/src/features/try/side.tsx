import { useId } from "react";
import type { ReactNode } from "react";
import { Difference } from "../compare/difference.tsx";
import type { Transcript } from "../run/log/transcript.ts";
import type { Turn } from "./queries.ts";
import type { Settings } from "./settings.ts";
import { Facts } from "./turn-foot.tsx";
import { Reply } from "./turn-view.tsx";

/** One of two replies, under what it took and which model gave it. */
export function Side({
  title,
  turn,
  against,
  settings,
  transcript,
  children,
}: {
  readonly title: string;
  readonly turn: Turn;
  /** The other reply, if this one is measured against it. */
  readonly against?: Turn;
  readonly settings: Settings | undefined;
  readonly transcript: Transcript | undefined;
  readonly children?: ReactNode;
}) {
  const id = useId();
  const { attempt } = turn;
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-11 flex-wrap items-baseline gap-x-3 border-b border-line py-2 text-small text-ink-3">
        <h2 id={id} className="text-h3 font-semibold text-ink">
          {title}
        </h2>
        {settings !== undefined && <span className="font-mono text-mono">{settings.model}</span>}
        {attempt !== null && <Facts attempt={attempt} />}
        {attempt?.duration_ms != null && against?.attempt?.duration_ms != null && (
          <span className="flex gap-2 whitespace-nowrap">
            <span>
              Time <Difference a={against.attempt.duration_ms} b={attempt.duration_ms} unit="duration" />
            </span>
            <span>
              Cost <Difference a={against.attempt.cost_usd} b={attempt.cost_usd} unit="cost" />
            </span>
          </span>
        )}
      </header>
      <Reply turn={turn} transcript={transcript} />
      {children}
    </section>
  );
}
