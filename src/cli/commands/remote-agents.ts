import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import type { Values } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";

const AGENT = { id: { type: "positional", description: "Id or name" } } as const;

const list = defineCommand({
  summary: "List remote agents, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listRemoteAgents({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("remote agent"));
    else {
      const rows = items.map(({ id, name, base_url, protocol_version, is_enabled }) => [
        id,
        name,
        protocol_version,
        is_enabled ? "enabled" : "disabled",
        base_url,
      ]);
      out.table(["ID", "NAME", "A2A", "STATE", "URL"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const add = defineCommand({
  summary: "Register a remote agent; the tool a2a_delegate offers it to agents",
  args: {
    endpoint: { type: "positional", description: "Its base URL, or the URL of its card" },
    token: { type: "string", description: "Bearer token of requests to it" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const agent = await muster.createRemoteAgent({ base_url: args.endpoint, token: args.token });
    if (args.json) out.json(agent);
    else out.line(`Registered remote agent ${safeText(agent.name)} (${agent.id})`);
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a remote agent and its skills",
  args: { ...AGENT, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const agent = await muster.getRemoteAgent({ id: await resolveId(muster, "remote agent", args.id) });
    if (args.json) {
      out.json(agent);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: agent.id,
      name: agent.name,
      description: agent.description,
      url: agent.base_url,
      A2A: agent.protocol_version,
      skills: agent.skills.map(({ name }) => name).join(", "),
      state: agent.is_enabled ? "enabled" : "disabled",
      token: agent.has_token ? "set" : "none",
      "card fetched": agent.card_fetched_at,
      "card error": agent.card_error,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});

const refresh = defineCommand({
  summary: "Fetch the card of a remote agent again",
  args: { ...AGENT, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const agent = await muster.refreshRemoteAgent({ id: await resolveId(muster, "remote agent", args.id) });
    if (args.json) out.json(agent);
    else if (agent.card_error === null) out.line(`Fetched the card of ${safeText(agent.name)} (${agent.id})`);
    else out.line(`Kept the old card of ${safeText(agent.name)}: ${safeText(agent.card_error)}`);
    return agent.card_error === null ? EXIT.ok : EXIT.failed;
  },
});

const test = defineCommand({
  summary: "Send a remote agent a real message and show its reply, within 30 seconds",
  args: { ...AGENT, message: { type: "positional", description: "The message" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "remote agent", args.id);
    const result = await muster.testRemoteAgent({ id }, { message: args.message });
    if (args.json) out.json(result);
    else {
      out.line(safeText(result.output ?? result.error ?? ""));
      out.note(`${result.status} in ${result.duration_ms} ms`, "dim");
    }
    return result.status === "success" ? EXIT.ok : EXIT.failed;
  },
});

const update = defineCommand({
  summary: "Change the token of a remote agent",
  args: {
    ...AGENT,
    token: { type: "string", description: "Bearer token of requests to it; an empty text removes it" },
    ...CONNECTION,
  },
  run: async (args) => change(args, args.token === undefined ? {} : { token: args.token || null }, "Updated"),
});

const enable = defineCommand({
  summary: "Offer a disabled remote agent again",
  args: { ...AGENT, ...CONNECTION },
  run: (args) => change(args, { is_enabled: true }, "Enabled"),
});

const disable = defineCommand({
  summary: "Stop delegating to a remote agent",
  args: { ...AGENT, ...CONNECTION },
  run: (args) => change(args, { is_enabled: false }, "Disabled"),
});

const remove = defineDeletion({
  kind: "remote agent",
  effect: "Agents can no longer delegate to it.",
  remove: (muster, id) => muster.deleteRemoteAgent({ id }),
});

/** `muster remote-agents …` */
export default defineGroup("Manage remote agents that agents delegate to over A2A", {
  list,
  add,
  get,
  refresh,
  test,
  update,
  enable,
  disable,
  delete: remove,
});

async function change(
  args: Values<typeof CONNECTION & typeof AGENT>,
  patch: { readonly is_enabled?: boolean; readonly token?: string | null },
  done: string,
) {
  const { muster, out } = openSession(args);
  const agent = await muster.updateRemoteAgent({ id: await resolveId(muster, "remote agent", args.id) }, patch);
  if (args.json) out.json(agent);
  else out.line(`${done} remote agent ${safeText(agent.name)} (${agent.id})`);
  return EXIT.ok;
}
