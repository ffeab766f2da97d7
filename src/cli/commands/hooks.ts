import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { WEBHOOK_EVENTS } from "#domain/destinations/webhook.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";

const ID = { id: { type: "positional", description: "Id or URL" } } as const;
const SHOWN_ONCE = "Copy the secret now; it won't be shown again.";

const list = defineList({
  summary: "List webhook subscriptions, newest first",
  args: {},
  read: (muster, { limit }) => muster.listWebhookSubscriptions({ limit }),
  none: () => noneYet("hook"),
  row: ({ id, event, target_url, agent_id, team_id, is_active }) => ({
    ID: id,
    EVENT: event,
    URL: target_url,
    "ONLY OF": agent_id ?? team_id,
    STATE: is_active ? "active" : "paused",
  }),
});

const create = defineRequest({
  summary: "Subscribe a URL to an event",
  args: {
    target: { type: "string", required: true, valueHint: "url", description: "URL to deliver to (https)" },
    event: { type: "enum", options: [...WEBHOOK_EVENTS], required: true, description: "Event to deliver" },
    agent: { type: "string", valueHint: "id or name", description: "Only for tasks of this agent" },
    team: { type: "string", valueHint: "id or name", description: "Only for runs of this team" },
  },
  send: async ({ muster }, { target, event, agent, team }) =>
    muster.createWebhookSubscription({
      target_url: target,
      event,
      agent_id: await resolveOptionalId(muster, "agent", agent),
      team_id: await resolveOptionalId(muster, "team", team),
    }),
  print({ out }, { id, secret }) {
    out.line(secret);
    out.note(`Created webhook subscription ${id}. ${SHOWN_ONCE}`, "dim");
  },
});

const rotate = defineRequest({
  summary: "Replace the secret of a subscription; the old one stays valid for a day",
  args: ID,
  send: async ({ muster }, { id }) => muster.rotateWebhookSecret({ id: await resolveId(muster, "hook", id) }),
  print({ out }, { secret }) {
    out.line(secret);
    out.note(SHOWN_ONCE, "dim");
  },
});

const pause = defineRequest({
  summary: "Stop delivering to a subscription; events during the pause are not delivered",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.pauseWebhookSubscription({ id: await resolveId(muster, "hook", id) }, { is_active: false }),
  print: ({ out }, { id }) => out.line(`Webhook subscription ${id} is paused`),
});

const resume = defineRequest({
  summary: "Deliver to a subscription again",
  args: ID,
  send: async ({ muster }, { id }) =>
    muster.pauseWebhookSubscription({ id: await resolveId(muster, "hook", id) }, { is_active: true }),
  print: ({ out }, { id }) => out.line(`Webhook subscription ${id} is active`),
});

const remove = defineDeletion({
  kind: "hook",
  effect: "Nothing more is sent to its URL.",
  remove: (muster, id) => muster.deleteWebhookSubscription({ id }),
});

/** `muster hooks …` */
export default defineGroup("Manage webhook subscriptions", { list, create, pause, resume, rotate, delete: remove });
