import { CATALOGUE } from "#domain/models/model-catalogue.ts";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { formatTokens } from "../terminal/format.ts";
import { createOutput } from "../terminal/output.ts";

export default defineCommand({
  summary: "List the models that Muster knows, with their list prices",
  examples: ["models", "models --provider anthropic"],
  args: {
    provider: { type: "string", valueHint: "name", description: `Only of ${Object.keys(CATALOGUE).join(", ")}` },
    json: CONNECTION.json,
  },
  run({ provider, json }) {
    if (provider !== undefined && !Object.hasOwn(CATALOGUE, provider)) {
      throw new UsageError(`Unknown provider "${provider}". Known: ${Object.keys(CATALOGUE).join(", ")}`);
    }
    const models = Object.entries(CATALOGUE)
      .filter(([name]) => provider === undefined || name === provider)
      .flatMap(([name, rows]) =>
        rows.map(([id, label, prompt, completion, context]) => ({
          id,
          label,
          provider: name,
          prompt,
          completion,
          context,
        })),
      );
    const out = createOutput(process.stdout, process.stderr);
    if (json) out.json(models);
    else {
      const rows = models.map(({ id, provider: name, prompt, completion, context }) => [
        id,
        name,
        `$${prompt.toFixed(2)}`,
        `$${completion.toFixed(2)}`,
        formatTokens(context),
      ]);
      out.table(["MODEL", "PROVIDER", "INPUT", "OUTPUT", "CONTEXT"], rows);
      out.note(
        "Prices are in USD per million tokens. Other models: --provider openai-compatible with an endpoint of your own.",
        "dim",
      );
    }
    return Promise.resolve(EXIT.ok);
  },
});
