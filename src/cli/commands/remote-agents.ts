import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { requireChange } from "../arguments/require-change.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";
import { safeText } from "../terminal/safe-text.ts";

const AGENT = { id: { type: "positional", description: "Id or name" } } as const;

const list = defineList({
  summary: "List remote agents, newest first",
  args: {},
  read: (muster, { limit }) => muster.listRemoteAgents({ limit }),
  none: () => noneYet("remote agent"),
  row: ({ id, name, base_url, protocol_version, is_enabled }) => ({
    ID: id,
    NAME: name,
    A2A: protocol_version,
    STATE: is_enabled ? "enabled" : "disabled",
    URL: base_url,
  }),
});

const add = defineRequest({
  summary: "Register a remote agent; the tool a2a_delegate offers it to agents",
  args: {
    endpoint: { type: "positional", description: "Its base URL, or the URL of its card" },
    token: { type: "string", description: "Bearer token of requests to it" },
  },
  send: ({ muster }, { endpoint, token }) => muster.createRemoteAgent({ base_url: endpoint, token }),
  print: ({ out }, { name, id }) => out.line(`Registered remote agent ${safeText(name)} (${id})`),
});

const get = defineRequest({
  summary: "Show a remote agent and its skills",
  args: AGENT,
  send: async ({ muster }, { id }) => muster.getRemoteAgent({ id: await resolveId(muster, "remote agent", id) }),
  print: ({ out }, agent) =>
    out.fields({
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
    }),
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

const update = defineRequest({
  summary: "Change the token of a remote agent",
  args: {
    ...AGENT,
    token: { type: "string", description: "Bearer token of requests to it; an empty text removes it" },
  },
  async send({ muster }, { id, token }) {
    requireChange({ token });
    const agent = { id: await resolveId(muster, "remote agent", id) };
    return muster.updateRemoteAgent(agent, { token: token === "" ? null : token });
  },
  print: ({ out }, { name, id }) => out.line(`Updated remote agent ${safeText(name)} (${id})`),
});

const enable = defineRequest({
  summary: "Offer a disabled remote agent again",
  args: AGENT,
  send: async ({ muster }, { id }) =>
    muster.updateRemoteAgent({ id: await resolveId(muster, "remote agent", id) }, { is_enabled: true }),
  print: ({ out }, { name, id }) => out.line(`Enabled remote agent ${safeText(name)} (${id})`),
});

const disable = defineRequest({
  summary: "Stop delegating to a remote agent",
  args: AGENT,
  send: async ({ muster }, { id }) =>
    muster.updateRemoteAgent({ id: await resolveId(muster, "remote agent", id) }, { is_enabled: false }),
  print: ({ out }, { name, id }) => out.line(`Disabled remote agent ${safeText(name)} (${id})`),
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
