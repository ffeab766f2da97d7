import { cost } from "../../lib/format.ts";
import { useOutlook } from "./queries.ts";

/** "So far $0.82. Going on costs about $0.14, rarely more than $0.30." Nothing while nothing is known, or all is free. */
export function RunPrice({ runId }: { readonly runId: string }) {
  const outlook = useOutlook(runId);
  if (outlook === undefined) return null;
  const { spent_usd: spent, going_on_usd: more } = outlook;
  if (spent === 0 && (more?.p90 ?? 0) === 0) return null;
  return (
    <p className="text-small text-ink-2">
      So far {cost(spent)}.
      {more !== null && ` Going on costs about ${cost(more.p50)}, rarely more than ${cost(more.p90)}.`}
    </p>
  );
}
