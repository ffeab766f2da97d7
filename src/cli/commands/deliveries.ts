import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import type { Schemas } from "#client/index.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { parseSince, SINCE_FORM } from "../arguments/parse-time.ts";
import { RECORD_KINDS } from "../arguments/record-kinds.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";
import type { Output } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";

const list = defineList({
  summary: "List deliveries of the last 30 days, newest first",
  args: {
    status: {
      type: "enum",
      options: ["pending", "success", "failed"],
      description: "Only deliveries with this status",
    },
    route: { type: "string", valueHint: "id or name", description: "Only of this output route" },
    hook: { type: "string", valueHint: "id or URL", description: "Only of this webhook subscription" },
    task: { type: "string", valueHint: "id or title", description: "Only of this task" },
  },
  async read(muster, { status, route, hook, task, limit }) {
    if (route !== undefined && hook !== undefined) throw new UsageError("Give --route or --hook, not both.");
    const targetId =
      (await resolveOptionalId(muster, "route", route)) ?? (await resolveOptionalId(muster, "hook", hook));
    const taskId = await resolveOptionalId(muster, "task", task);
    return muster.listDeliveries({ status, route_id: targetId, task_id: taskId, limit });
  },
  none: ({ status, route, hook, task }) =>
    (status ?? route ?? hook ?? task) === undefined
      ? `No deliveries in the last 30 days. ${RECORD_KINDS.delivery.hint}`
      : "No delivery matches.",
  row: ({ id, created_at, event, target_name, status, attempt_count, http_code, error }) => ({
    ID: id,
    CREATED: created_at,
    EVENT: event,
    TO: target_name,
    STATUS: status,
    ATTEMPTS: attempt_count,
    CODE: http_code,
    ERROR: error,
  }),
});

const show = defineRequest({
  summary: "Show a delivery, its attempts, and what the last one sent and received",
  args: { id: { type: "positional", description: "Id" } },
  send: async ({ muster }, { id }) => muster.getDelivery({ id: await resolveId(muster, "delivery", id) }),
  print: ({ out }, delivery) => printDelivery(out, delivery),
});

const redeliver = defineCommand({
  summary: "Deliver again: one delivery, or all that failed since a time",
  args: {
    id: { type: "positional", required: false, description: "Id of a delivery" },
    "failed-since": {
      type: "string",
      valueHint: "time",
      description: `All that failed since ${SINCE_FORM}`,
    },
    route: { type: "string", valueHint: "id or name", description: "With --failed-since: only of this output route" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const since = args["failed-since"];
    const { id } = args;
    if (id === undefined && since !== undefined) {
      const failed = { since: parseSince("failed-since", since) };
      const routeId = await resolveOptionalId(muster, "route", args.route);
      const { redelivered: count } = await muster.redeliverFailed({ ...failed, ...(routeId && { route_id: routeId }) });
      if (args.json) out.json({ redelivered: count });
      else out.line(`Redelivering ${count} ${count === 1 ? "delivery" : "deliveries"}`);
      return EXIT.ok;
    }
    if (id === undefined || since !== undefined)
      throw new UsageError("Give either the id of a delivery, or --failed-since.");
    const again = await muster.redeliverDelivery({ id: await resolveId(muster, "delivery", id) });
    if (args.json) out.json(again);
    else out.line(`Redelivering as ${again.id}`);
    return EXIT.ok;
  },
});

/** `muster deliveries …` */
export default defineGroup("Show deliveries, and send them again", { list, show, redeliver });

function printDelivery(out: Output, delivery: Schemas["DeliveryDetails"]): void {
  const { id, event, target_name, type, status, error, attempts } = delivery;
  const to = `${target_name} (${type})`;
  out.fields({ id, event, to, test: delivery.is_test ? "yes" : "", status, error });
  const rows = attempts.map((each) => [
    String(each.attempt),
    each.created_at,
    each.status,
    String(each.http_code ?? ""),
    `${each.duration_ms} ms`,
    each.error ?? "",
  ]);
  out.line("");
  out.table(["ATTEMPT", "AT", "STATUS", "CODE", "TOOK", "ERROR"], rows);
  const last = attempts.at(-1);
  printText(out, "Request", last?.request);
  printText(out, "Response", last?.response);
}

function printText(out: Output, title: string, text = ""): void {
  if (text === "") return;
  out.line(`\n${title}:`);
  out.line(safeText(text));
}
