import { Bdi } from "../../ui/bdi.tsx";
import { Command } from "../../ui/states.tsx";
import type { Usage } from "./queries.ts";

/** Warns of models whose calls count as $0, with the setting that gives them a price. @param usage by model */
export function Unpriced({ usage }: { readonly usage: Usage | undefined }) {
  const models = usage === undefined ? [] : unpricedIn(usage);
  if (models.length === 0) return null;
  const prices = models.map((model) => `${JSON.stringify(model)}:{"prompt":…,"completion":…}`);
  return (
    <div role="note" className="note bg-waiting-soft">
      <p>
        <span className="font-medium text-waiting">Counted as $0:</span> <Bdi>{models.join(", ")}</Bdi>. If it is not
        free, the operator sets its price in USD per million tokens. New prices apply to new calls.
      </p>
      <Command text={`MODEL_PRICES={${prices.join(",")}}`} />
    </div>
  );
}

/** The models of providers that were called and cost nothing. */
function unpricedIn({ rows }: Usage): readonly string[] {
  const called = rows.filter(({ provider, total_tokens: used }) => provider !== "demo" && used > 0);
  const byModel = Map.groupBy(called, ({ model }) => model);
  return [...byModel].flatMap(([model, calls]) =>
    model !== undefined && calls.every(({ cost_usd: spent }) => spent === 0) ? [model] : [],
  );
}
