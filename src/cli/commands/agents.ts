import { AGENT_FIELDS, agentFields } from "../arguments/agent-fields.ts";
import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { YES, defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { listNamed, noneYet } from "../arguments/record-kinds.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";
import { warnOfMissingKey } from "../service/warn-of-missing-key.ts";
import { formatTime } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";
import { confirm } from "../terminal/prompt.ts";
import type { Style } from "../terminal/style.ts";
import { safeText, quoteForShell } from "../terminal/safe-text.ts";
import type { Schemas } from "#client/index.ts";
import { asBody } from "../arguments/as-body.ts";

/** Unchanged lines shown on each side of a change. */
const CONTEXT = 3;

const SIGN = { kept: " ", removed: "-", added: "+" } as const;

const STYLE: Readonly<Record<keyof typeof SIGN, Style>> = { kept: "dim", removed: "red", added: "green" };

const AGENT = { agent: { type: "positional", description: "Id or name" } } as const;
const VERSION = { ...AGENT, version: { type: "positional", description: "The version" } } as const;

const list = defineList({
  summary: "List agents, newest first",
  args: {},
  read: (muster, { limit }) => muster.listAgents({ limit }),
  none: () => noneYet("agent"),
  row: ({ id, name, model, status }) => ({ ID: id, NAME: name, MODEL: model, STATUS: status }),
});

const create = defineCommand({
  summary: "Create an agent",
  examples: [
    "agents create --name Writer --model demo",
    'agents create --name Poet --model gpt-4o --system-prompt "You answer in rhymes."',
    "agents create --config agent.json",
  ],
  args: {
    name: { type: "string", description: "Its name" },
    model: { type: "string", description: 'Its model; "demo" needs no key' },
    ...AGENT_FIELDS,
    ...CONNECTION,
  },
  async run(args) {
    const session = openSession(args);
    const { muster, out } = session;
    const fields = await agentFields(args, out);
    const name = args.name ?? fields["name"];
    const model = args.model ?? fields["model"];
    if (name === undefined || model === undefined) {
      throw new UsageError(
        'An agent needs --name and --model, or both in --config. Try --model demo; see "muster models".',
      );
    }
    const agent = await muster.createAgent(asBody({ ...fields, name, model }));
    if (args.json) out.json(agent);
    else {
      out.line(`Created agent ${safeText(agent.name)} (${agent.id}) on ${safeText(agent.model)}`);
      out.note(`Give it a task: muster tasks create --agent ${quoteForShell(agent.name)} --title "…" --watch`, "dim");
    }
    await warnOfMissingKey(session, agent);
    return EXIT.ok;
  },
});

const update = defineCommand({
  summary: "Change fields of an agent; tasks in progress keep the version they started with",
  examples: ["agents update Writer --model gpt-4o", "agents update Writer --config agent.json"],
  args: {
    ...AGENT,
    name: { type: "string", description: "Its new name" },
    model: { type: "string", description: "Its model" },
    ...AGENT_FIELDS,
    ...CONNECTION,
  },
  async run(args) {
    const session = openSession(args);
    const { muster, out } = session;
    const { name, model } = args;
    const changes = { ...(await agentFields(args, out)), ...(name && { name }), ...(model && { model }) };
    if (Object.keys(changes).length === 0) throw new UsageError("Name at least one field to change, or --config.");
    const agent = await muster.updateAgent({ id: await resolveId(muster, "agent", args.agent) }, changes);
    if (args.json) out.json(agent);
    else out.line(`Updated agent ${safeText(agent.name)} (${agent.id}): ${Object.keys(changes).join(", ")}`);
    await warnOfMissingKey(session, agent);
    return EXIT.ok;
  },
});

const get = defineRequest({
  summary: "Show an agent",
  args: AGENT,
  send: async ({ muster }, { agent }) => muster.getAgent({ id: await resolveId(muster, "agent", agent) }),
  async print(session, agent) {
    session.out.fields({
      id: agent.id,
      name: agent.name,
      description: agent.description,
      model: agent.model,
      provider: agent.provider,
      fallbacks: agent.fallback_models.join(", "),
      tools: agent.tools.join(", "),
      status: agent.status,
      review: agent.needs_review ? `needed; then: muster agents confirm ${agent.id}` : "",
      created: formatTime(agent.created_at),
      prompt: agent.system_prompt,
    });
    await warnOfMissingKey(session, agent);
  },
});

const confirmCopy = defineCommand({
  summary: "Confirm a copy from the marketplace after reading its prompt and tools, so that it can work",
  args: { ...AGENT, ...YES, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "agent", args.agent);
    const copy = await muster.getAgent({ id });
    if (copy.needs_review && !args.yes) await confirm(`Confirm agent ${safeText(copy.name)} (${id})?`, textOf(copy));
    const agent = await muster.updateAgent({ id }, { needs_review: false });
    if (args.json) out.json(agent);
    else out.line(`Confirmed agent ${safeText(agent.name)} (${id})`);
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "agent",
  effect: "Its unfinished tasks are cancelled.",
  remove: (muster, id) => muster.deleteAgent({ id }),
});

const versions = defineCommand({
  summary: "List the versions of an agent, newest first",
  args: { ...AGENT, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "agent", args.agent);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listAgentVersions({ id, limit: size }));
    if (args.json) out.json(items);
    else {
      const people = await listNamed(muster, "member").catch(() => []);
      const emails = new Map(people.map((person) => [person.id, person.name]));
      const rows = items.map(({ version, created_at, changed, changed_by: by }) => [
        String(version),
        formatTime(created_at),
        changed.join(", "),
        by === null ? "" : (emails.get(by) ?? by),
      ]);
      out.table(["VERSION", "SINCE", "CHANGED", "BY"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const diff = defineRequest({
  summary: "Show what a version of an agent changed",
  args: {
    ...VERSION,
    against: { type: "string", valueHint: "version", description: "Version to compare with (default: the one before)" },
  },
  async send({ muster }, args) {
    const version = parseCount("version", args.version);
    const against = args.against === undefined ? undefined : parseCount("against", args.against);
    return muster.diffAgentVersions({ id: await resolveId(muster, "agent", args.agent), version, against });
  },
  print: ({ out }, changes) => show(out, changes),
});

const restore = defineRequest({
  summary: "Restore a version of an agent as a new version",
  args: VERSION,
  async send({ muster }, args) {
    const version = parseCount("version", args.version);
    return muster.restoreAgentVersion({ id: await resolveId(muster, "agent", args.agent), version });
  },
  print: ({ out }, { name, id }, { version }) =>
    out.line(`Agent ${safeText(name)} (${id}) restored to version ${version}`),
});

/** `muster agents …` */
export default defineGroup("Manage agents", {
  list,
  create,
  get,
  update,
  confirm: confirmCopy,
  delete: remove,
  versions,
  diff,
  restore,
});

/** What shapes the runs of an agent, to read. */
function textOf(agent: Schemas["Agent"]): string {
  const { tools, system_prompt: prompt, voice_profile: voice, output_template: template } = agent;
  const parts = [
    ["Tools", tools.length === 0 ? "none" : tools.join(", ")],
    ["Voice", voice === null ? undefined : JSON.stringify(voice)],
    ["Template", template?.body],
    ["Config", JSON.stringify(agent.config)],
    ["Prompt", prompt],
  ].flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text}`]));
  return safeText(parts.join("\n"));
}

type Line = NonNullable<Schemas["AgentVersionDiff"]["changes"][number]["lines"]>[number];

function show(out: Output, { from, to, changes }: Schemas["AgentVersionDiff"]): void {
  if (changes.length === 0) out.note(`Versions ${from} and ${to} are identical.`);
  for (const { field, before, after, lines } of changes) {
    out.line(out.styled("bold", field));
    const shown = lines ?? [
      { change: "removed" as const, line: written(before) },
      { change: "added" as const, line: written(after) },
    ];
    for (const { change, line } of withContext(shown)) {
      out.line(out.styled(STYLE[change], `  ${SIGN[change]} ${safeText(line)}`));
    }
  }
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function withContext(lines: readonly Line[]): readonly Line[] {
  const changed = lines.flatMap(({ change }, index) => (change === "kept" ? [] : [index]));
  return lines.filter((_, index) => changed.some((at) => Math.abs(at - index) <= CONTEXT));
}
