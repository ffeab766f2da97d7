import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import type { Schemas } from "#client/index.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { parseSince, SINCE_FORM } from "../arguments/parse-time.ts";
import { RECORD_KINDS } from "../arguments/record-kinds.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import type { Output } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";
import { fieldLines } from "../terminal/table.ts";

const list = defineCommand({
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
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    if (args.route !== undefined && args.hook !== undefined) throw new UsageError("Give --route or --hook, not both.");
    const targetId =
      (await resolveOptionalId(muster, "route", args.route)) ?? (await resolveOptionalId(muster, "hook", args.hook));
    const taskId = await resolveOptionalId(muster, "task", args.task);
    const filter = {
      ...(args.status !== undefined && { status: args.status }),
      ...(targetId !== undefined && { route_id: targetId }),
      ...(taskId !== undefined && { task_id: taskId }),
    };
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listDeliveries({ ...filter, limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) {
      const isFiltered = Object.keys(filter).length > 0;
      out.note(
        isFiltered ? "No delivery matches." : `No deliveries in the last 30 days. ${RECORD_KINDS.delivery.hint}`,
      );
    } else {
      const rows = items.map(({ id, created_at, event, target_name, status, attempt_count, http_code, error }) => [
        id,
        created_at,
        event,
        target_name,
        status,
        String(attempt_count),
        String(http_code ?? ""),
        error ?? "",
      ]);
      const head = ["ID", "CREATED", "EVENT", "TO", "STATUS", "ATTEMPTS", "CODE", "ERROR"];
      out.table(head, rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const show = defineCommand({
  summary: "Show a delivery, its attempts, and what the last one sent and received",
  args: { id: { type: "positional", description: "Id" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const delivery = await muster.getDelivery({ id: await resolveId(muster, "delivery", args.id) });
    if (args.json) out.json(delivery);
    else print(out, delivery);
    return EXIT.ok;
  },
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

function print(out: Output, delivery: Schemas["DeliveryDetails"]): void {
  const { id, event, target_name, type, status, error, attempts } = delivery;
  const to = `${target_name} (${type})`;
  fieldLines({ id, event, to, test: delivery.is_test ? "yes" : "", status, error }).forEach((line) => out.line(line));
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
