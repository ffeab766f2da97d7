import { readFile } from "node:fs/promises";
import { z } from "zod";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { asBody } from "../arguments/as-body.ts";
import { openSession } from "../service/session.ts";
import { readAllInput } from "../terminal/input.ts";
import type { Output } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";

const anyObject = z.record(z.string(), z.unknown());

export default defineCommand({
  summary: "Create the agent or team of an exported file; names get the suffix (imported)",
  args: {
    file: { type: "positional", default: "-", description: "Its path; - reads standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const made = await muster.importAgent(asBody(parseFile(await read(out, args.file))));
    if (args.json) out.json(made);
    else {
      for (const { id, name } of made.agents) out.line(`Created agent ${safeText(name)} (${id})`);
      for (const { path, message } of made.warnings) out.note(`${safeText(path)}: ${safeText(message)}`, "yellow");
      if (made.team !== null) out.line(`Created team ${safeText(made.team.name)} (${made.team.id})`);
    }
    return EXIT.ok;
  },
});

async function read(out: Output, path: string): Promise<string> {
  if (path === "-") return readAllInput(out, "the file");
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`Cannot read ${path}: ${describeFileError(error)}.`, { cause: error });
  });
}

function parseFile(text: string): object {
  try {
    return anyObject.parse(JSON.parse(text));
  } catch (cause) {
    throw new UsageError('This is no exported file: it must be a JSON object, as "muster export" writes it.', {
      cause,
    });
  }
}
