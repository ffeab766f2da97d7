import { nearest } from "#lib/text/nearest.ts";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { formatTokens } from "../terminal/format.ts";

/** `muster models` */
export default defineCommand({
  summary: "List the models that Muster knows, their prices, and which your workspace can use",
  examples: ["models", "models --provider anthropic"],
  args: {
    ...CONNECTION,
    provider: { type: "string", valueHint: "name", description: "Only of this provider" },
  },
  async run({ provider, ...args }) {
    const { muster, out } = openSession(args);
    const { providers, models } = await muster.listModels();
    const known = providers.map(({ id }) => id);
    if (provider !== undefined && !known.includes(provider)) {
      const near = nearest(provider, known);
      const meant = near === undefined ? "" : ` Did you mean ${near}?`;
      throw new UsageError(`Unknown provider "${provider}".${meant} Known: ${known.join(", ")}`);
    }
    const shown = models.filter((model) => provider === undefined || model.provider === provider);
    if (args.json) {
      out.json(shown);
      return EXIT.ok;
    }
    const rows = shown.map((model) => [
      model.id,
      model.provider,
      formatPrice(model.prompt_price),
      formatPrice(model.completion_price),
      formatTokens(model.context_window),
      model.usable ? "yes" : "no key",
    ]);
    out.table(["MODEL", "PROVIDER", "INPUT", "OUTPUT", "CONTEXT", "USABLE"], rows);
    out.note(
      "Prices are in USD per million tokens.\nOther models: --provider openai-compatible, with your own endpoint.",
      "dim",
    );
    return EXIT.ok;
  },
});

function formatPrice(usd: number | null): string {
  return usd === null ? "unknown" : `$${usd.toFixed(2)}`;
}
