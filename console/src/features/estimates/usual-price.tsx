import { cost, duration, plural } from "../../lib/format.ts";
import { useEstimate } from "./queries.ts";

/** What a task of an agent or a team usually costs and takes. @param whose as `pickedValue` writes it */
export function UsualPrice({ whose }: { readonly whose: string }) {
  const told = useEstimate(whose === "" ? undefined : whose);
  if (whose === "" || told?.cost_usd == null || told.duration_ms == null) return null;
  const { cost_usd: price, duration_ms: time, runs } = told;
  return (
    <p className="text-small text-ink-3">
      Usually {cost(price.p50)} and {duration(time.p50)}, rarely more than {cost(price.p90)} and {duration(time.p90)}:
      by the last {plural(runs, "run")}.
    </p>
  );
}
