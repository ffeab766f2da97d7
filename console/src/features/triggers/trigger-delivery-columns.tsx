import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { bytes } from "../../lib/format.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { StateChip } from "../../ui/state.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import type { TriggerDelivery } from "./records.ts";

/** What was delivered to a trigger, and what came of it. */
export const TRIGGER_DELIVERY_COLUMNS: readonly Column<TriggerDelivery>[] = [
  { head: "Outcome", cell: ({ outcome }) => <Outcome outcome={outcome} />, width: "w-30" },
  { head: "What", cell: (delivery) => <What delivery={delivery} /> },
  { head: "Key", cell: ({ delivery_key: key }) => key !== null && <Key of={key} />, from: "md", width: "w-48" },
  { head: "Size", cell: ({ bytes: size }) => bytes(size), align: "end", from: "sm", width: "w-24" },
  { head: "When", cell: ({ created_at: at }) => <Time at={at} />, align: "end", from: "sm", width: "w-32" },
];

function Outcome({ outcome }: Pick<TriggerDelivery, "outcome">) {
  if (outcome === "refused") return <StateChip state="failed">Rejected</StateChip>;
  return <StateChip state="completed">Accepted</StateChip>;
}

function Key({ of }: { readonly of: string }) {
  return <Bdi className="block truncate font-mono text-mono text-ink-2">{of}</Bdi>;
}

function What({ delivery }: { readonly delivery: TriggerDelivery }) {
  const { slug } = useWorkspace();
  const { task_id: task, reason } = delivery;
  if (task === null) return <Bdi className="block text-failed">{reason}</Bdi>;
  return (
    <Link to="/w/$workspace/runs/$id" params={{ workspace: slug, id: task }} data-row className={ROW_LINK}>
      Created a task
    </Link>
  );
}
