import { readFile } from "node:fs/promises";
import { z } from "zod";
import { TEAM_MODE_NAMES } from "#domain/team.ts";
import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { UsageError } from "../../errors/cli-error.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { readAllInput } from "../../terminal/input.ts";
import type { Output } from "../../terminal/output.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Create a team.",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    mode: { type: "enum", options: [...TEAM_MODE_NAMES], required: true, description: "How its agents work together" },
    description: { type: "string", description: "What it is for" },
    config: { type: "string", valueHint: "file", description: "Its config as JSON; - reads it from standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { name, mode, description } = args;
    const { api, out } = openSession(args);
    const config = args.config === undefined ? undefined : await readConfig(args.config, out);
    const team = await api.createTeam({ name, mode, description, config });
    if (args.json) out.json(team);
    else {
      out.line(`Created team ${safeText(team.name)} (${team.id}) with ${team.members.length} members`);
      out.note(`Give it work: muster runs create --team ${team.id} --task "…"`, "dim");
    }
    return EXIT.ok;
  },
});

async function readConfig(file: string, out: Output): Promise<object> {
  const text = file === "-" ? await readAllInput(out, "the config") : await readText(file);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`The config must be a JSON object; ${file} holds none.`, { cause: error });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${file}.`, { cause: error });
  }
}
