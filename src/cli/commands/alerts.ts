import type { MusterClient, Schemas } from "#client/index.ts";
import { parseNumber } from "../arguments/arguments.ts";
import { asBody } from "../arguments/as-body.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { requireChange } from "../arguments/require-change.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { ALERT_KINDS } from "#domain/alerts/alert-kinds.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const ID = { id: { type: "positional", description: "Id or name" } } as const;

const FIELDS = {
  from: { type: "string", valueHint: "value", description: "It fires from here on: percent, USD, minutes, deliveries" },
  window: {
    type: "string",
    valueHint: "minutes",
    description: "Of failure_rate: how far back runs count (default: 60)",
  },
  "min-runs": { type: "string", valueHint: "count", description: "Of failure_rate: the fewest runs (default: 10)" },
  agent: { type: "string", description: "Only this agent (id or exact name)" },
  team: { type: "string", description: "Only this team (id or exact name)" },
  watch: { type: "string", valueHint: "route", description: "Of route_failing: only this route (default: any)" },
  route: { type: "string", description: "The route that gets the events; none leaves it to Home" },
} as const;

const list = defineList({
  summary: "List alerts with their states, newest first",
  args: {},
  read: (muster, { limit }) => muster.listAlerts({ limit }),
  none: () => noneYet("alert"),
  row: (alert) => ({
    ID: alert.id,
    NAME: alert.name,
    KIND: alert.kind,
    FROM: alert.threshold,
    VALUE: alert.last_value ?? "",
    STATE: stateOf(alert),
    SINCE: formatTime(alert.since),
    DESTINATION: destinationOf(alert),
  }),
});

const create = defineRequest({
  summary: "Create an alert",
  examples: ["alerts create --name Failures --kind failure_rate --from 20 --route Team"],
  args: {
    name: { type: "string", required: true, description: "Its name" },
    kind: { type: "enum", required: true, options: [...ALERT_KINDS], description: "What it watches" },
    ...FIELDS,
    from: { ...FIELDS.from, required: true },
  },
  async send({ muster }, { name, kind, ...args }) {
    return muster.createAlert(asBody({ name, kind, ...(await fieldsOf(muster, args)) }));
  },
  print: ({ out }, { name, id }) => out.line(`Created alert ${safeText(name)} (${id})`),
});

const update = defineRequest({
  summary: "Change an alert",
  examples: ["alerts update Failures --from 30"],
  args: { ...ID, name: { type: "string", description: "Its new name" }, ...FIELDS },
  async send({ muster }, { id, name, ...args }) {
    const given = { name, ...(await fieldsOf(muster, args)) };
    requireChange(given);
    return muster.updateAlert({ id: await resolveId(muster, "alert", id) }, asBody(given));
  },
  print: ({ out }, { name, id }) => out.line(`Updated alert ${safeText(name)} (${id})`),
});

const enable = switchTo(true, "Enable", "Enabled");
const disable = switchTo(false, "Disable", "Disabled");

const test = defineRequest({
  summary: "Send a test to an alert's destination",
  args: ID,
  send: async ({ muster }, { id }) => muster.testAlert({ id: await resolveId(muster, "alert", id) }),
  print: ({ out }, { id, target_name: to }) => out.line(`Sent a test to ${safeText(to)}: muster deliveries get ${id}`),
});

const remove = defineDeletion({
  kind: "alert",
  effect: "Its destination gets no further event, not even if it fires now.",
  remove: (muster, id) => muster.deleteAlert({ id }),
});

/** `muster alerts …` */
export default defineGroup("Manage alerts", { list, create, update, enable, disable, test, delete: remove });

function switchTo(is_enabled: boolean, verb: string, done: string) {
  return defineRequest({
    summary: `${verb} an alert`,
    args: ID,
    send: async ({ muster }, { id }) =>
      muster.updateAlert({ id: await resolveId(muster, "alert", id) }, { is_enabled }),
    print: ({ out }, { name, id }) => out.line(`${done} alert ${safeText(name)} (${id})`),
  });
}

type GivenFields = Readonly<Partial<Record<keyof typeof FIELDS, string>>>;

async function fieldsOf(muster: MusterClient, args: GivenFields) {
  const idOf = async (kind: "agent" | "team" | "route", name: string | undefined) =>
    name === undefined ? undefined : name === "none" ? null : resolveId(muster, kind, name);
  return {
    threshold: parseNumber("from", args.from),
    window_minutes: parseNumber("window", args.window),
    min_runs: parseNumber("min-runs", args["min-runs"]),
    agent_id: await idOf("agent", args.agent),
    team_id: await idOf("team", args.team),
    watched_route_id: await idOf("route", args.watch),
    route_id: await idOf("route", args.route),
  };
}

function stateOf({ is_enabled, state }: Schemas["Alert"]): string {
  return is_enabled ? state : "disabled";
}

function destinationOf({ route_id: id, route_name: name }: Schemas["Alert"]): string {
  return name ?? (id === null ? "" : "deleted");
}
