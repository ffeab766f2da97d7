import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { ActiveChip } from "../../ui/active-chip.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { AssigneeName } from "../schedules/assignee-name.tsx";
import type { Trigger } from "./records.ts";

/** The triggers with what was delivered to them last. */
export const TRIGGER_COLUMNS: readonly Column<Trigger>[] = [
  { head: "Name", cell: (trigger) => <Name trigger={trigger} /> },
  { head: "State", cell: ({ is_active: isActive }) => <ActiveChip isActive={isActive} />, width: "w-28" },
  { head: "For", cell: (trigger) => <AssigneeName of={trigger} />, from: "md", width: "w-48" },
  { head: "URL", cell: ({ token_prefix: prefix }) => <Prefix of={prefix} />, from: "lg", width: "w-44" },
  { head: "Last delivery", cell: (trigger) => <Last trigger={trigger} />, from: "sm", width: "w-44" },
];

function Name({ trigger }: { readonly trigger: Trigger }) {
  const { slug } = useWorkspace();
  const { id, name, title } = trigger;
  return (
    <>
      <Link to="/w/$workspace/triggers/$id" params={{ workspace: slug, id }} data-row dir="auto" className={ROW_LINK}>
        {visibleText(name)}
      </Link>
      <Bdi className="block truncate text-small text-ink-3">{title}</Bdi>
    </>
  );
}

function Prefix({ of }: { readonly of: string }) {
  return <span className="block truncate font-mono text-mono text-ink-2">{of}…</span>;
}

function Last({ trigger }: { readonly trigger: Trigger }) {
  const { last_delivery_at: at, last_outcome: outcome } = trigger;
  if (at === null) return <span className="text-ink-3">None yet</span>;
  return (
    <>
      <Time at={at} />
      {outcome === "refused" && <span className="text-failed"> · rejected</span>}
    </>
  );
}
