import { Link } from "@tanstack/react-router";
import { Bdi } from "../../ui/bdi.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import { eventLabel } from "./records.ts";
import type { Delivery } from "./records.ts";

const COLUMNS: readonly Column<Delivery>[] = [
  { head: "State", cell: ({ status }) => <DeliveryState status={status} />, width: "w-30" },
  { head: "What", cell: (delivery) => <What delivery={delivery} /> },
  {
    head: "To",
    cell: ({ target_name: name }) => <Bdi className="block truncate text-ink-2">{name}</Bdi>,
    from: "md",
  },
  {
    head: "Response",
    cell: ({ http_code: code }) => code !== null && <span className="text-ink-2">HTTP {code}</span>,
    from: "sm",
    width: "w-24",
  },
  { head: "Attempts", cell: ({ attempt_count: count }) => count, align: "end", from: "md", width: "w-20" },
  { head: "When", cell: ({ created_at: at }) => <Time at={at} />, align: "end", from: "sm", width: "w-32" },
];
const WITHOUT_TARGET = COLUMNS.filter(({ head }) => head !== "To");

/** A delivery; those of one route all go to the same target. */
export function deliveryColumns(isOfOne: boolean): readonly Column<Delivery>[] {
  return isOfOne ? WITHOUT_TARGET : COLUMNS;
}

function What({ delivery }: { readonly delivery: Delivery }) {
  const { id, event, is_test: isTest, redelivery_of: origin, error, target_name: target } = delivery;
  return (
    <>
      <Link to="." search={(before) => ({ ...before, delivery: id })} data-row className={ROW_LINK}>
        {isTest ? "Test" : eventLabel(event)}
        {origin !== null && " (sent again)"}
      </Link>
      <span className={`block truncate text-small ${error === null ? "text-ink-3 md:hidden" : "text-failed"}`}>
        <Bdi>{error ?? target}</Bdi>
      </span>
    </>
  );
}
