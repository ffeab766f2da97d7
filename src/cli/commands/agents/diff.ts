import { CONNECTION, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";
import type { Output, Style } from "../../terminal/output.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createVersionsApi } from "../../versions-api.ts";
import type { VersionDiff } from "../../versions-api.ts";

/** Unchanged lines that are shown on each side of a changed one. */
const CONTEXT = 3;
const SIGN = { kept: " ", removed: "-", added: "+" } as const;
const STYLE: Readonly<Record<keyof typeof SIGN, Style>> = { kept: "dim", removed: "red", added: "green" };

type Line = NonNullable<VersionDiff["changes"][number]["lines"]>[number];

export default defineCommand({
  summary: "Show what a version of an agent changed.",
  args: {
    agent: { type: "positional", description: "Its id or exact name" },
    version: { type: "positional", description: "The version" },
    against: { type: "string", valueHint: "version", description: "Compared with this one; else with the one before" },
    ...CONNECTION,
  },
  async run(args) {
    const version = parseCount("version", args.version);
    const against = args.against === undefined ? undefined : parseCount("against", args.against);
    const { api, client, out } = openSession(args);
    const id = await resolveAgent(api, args.agent);
    const diff = await createVersionsApi(client).diff(id, { version, against });
    if (args.json) out.json(diff);
    else show(out, diff);
    return EXIT.ok;
  },
});

function show(out: Output, { from, to, changes }: VersionDiff): void {
  if (changes.length === 0) out.note(`Versions ${from} and ${to} are the same.`);
  for (const { field, before, after, lines } of changes) {
    out.line(out.styled("bold", field));
    const shown = lines ?? [
      { change: "removed" as const, line: written(before) },
      { change: "added" as const, line: written(after) },
    ];
    for (const { change, line } of nearChanges(shown)) {
      out.line(out.styled(STYLE[change], `  ${SIGN[change]} ${safeText(line)}`));
    }
  }
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function nearChanges(lines: readonly Line[]): readonly Line[] {
  const changed = lines.flatMap(({ change }, index) => (change === "kept" ? [] : [index]));
  return lines.filter((_, index) => changed.some((at) => Math.abs(at - index) <= CONTEXT));
}
