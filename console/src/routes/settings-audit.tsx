import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { listAudit } from "#client/gen/operations/workspaces.ts";
import { usePages } from "../api/use-pages.ts";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { useRouteTypes } from "../features/destinations/queries.ts";
import { useModels } from "../features/models/queries.ts";
import { actionLabel, changeLabel, kindLabel, subjectLabel } from "../features/settings/audit-labels.ts";
import type { AuditEntry, AuditNames } from "../features/settings/audit-labels.ts";
import { useMembers } from "../features/settings/queries.ts";
import { AUDIT_KINDS, readAuditSearch } from "../features/settings/search.ts";
import type { AuditSearch } from "../features/settings/search.ts";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { given } from "../lib/given.ts";
import { stringifySearch } from "../lib/search.ts";
import { visibleText } from "../lib/visible-text.ts";
import { Bdi } from "../ui/bdi.tsx";
import { Select } from "../ui/fields.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { head: "When", cell: ({ at }) => <Time at={at} />, width: "w-32", from: "sm" },
  { head: "Who", cell: (entry) => <Who entry={entry} />, width: "w-44", from: "sm" },
  { head: "What", cell: (entry) => <What entry={entry} /> },
];

/** Who changed what. For admins. */
export function AuditSettings() {
  const blockedBy = useBlockedBy("admin");
  if (blockedBy !== undefined) return <Empty title="The audit log is for admins">{blockedBy}</Empty>;
  return <AuditLog />;
}

function AuditLog() {
  const search = readAuditSearch(useSearch({ from: "/w/$workspace/settings/audit" }));
  const path = `/console/api/audit${stringifySearch({ ...search })}`;
  const pages = usePages(["audit"], [listAudit, given(search)]);
  useApiCalls([{ title: "Read the audit log", method: "GET", path }]);
  return (
    <>
      <TabBar text="Every change of keys, people, budgets, destinations and agents. Entries cannot be changed.">
        <Filters search={search} />
      </TabBar>
      <RecordList
        label="Audit log"
        list="audit"
        pages={pages}
        columns={COLUMNS}
        empty={<Empty title="No change matches these filters" />}
      />
    </>
  );
}

function Filters({ search }: { readonly search: AuditSearch }) {
  const navigate = useNavigate();
  const { rows: members = [] } = useMembers();
  const choose = (change: { readonly [Key in keyof AuditSearch]?: AuditSearch[Key] | undefined }) =>
    void navigate({ to: ".", search: (before) => ({ ...before, ...change }) });
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        aria-label="What was changed"
        className="w-36"
        value={search.kind ?? ""}
        onChange={({ target }) => choose({ kind: AUDIT_KINDS.find((kind) => kind === target.value) })}
      >
        <option value="">Everything</option>
        {AUDIT_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {kindLabel(kind)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Who changed it"
        className="w-36"
        value={search.actor ?? ""}
        onChange={({ target }) => choose({ actor: target.value === "" ? undefined : target.value })}
      >
        <option value="">Everyone</option>
        {members.map(({ user_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Who({ entry: { actor, key } }: { readonly entry: AuditEntry }) {
  return (
    <>
      <span dir="auto" className="block truncate">
        {visibleText(nameOf(actor))}
      </span>
      {key !== null && (
        <span className="block truncate text-small text-ink-3">
          by key <Bdi>{key.label}</Bdi>
        </span>
      )}
    </>
  );
}

function nameOf(actor: AuditEntry["actor"]): string {
  return actor?.name ?? "The service";
}

function What({ entry }: { readonly entry: AuditEntry }) {
  const { slug } = useWorkspace();
  const { subject, actor, at } = entry;
  const names = useNames();
  const changes = changeLabel(entry, names);
  return (
    <>
      <span className="block truncate">
        {actionLabel(entry)}{" "}
        {subject.kind === "run" && subject.id !== null ? (
          <Link
            to="/w/$workspace/runs/$id"
            params={{ workspace: slug, id: subject.id }}
            className="font-medium text-accent hover:underline"
          >
            <Bdi>{subject.name}</Bdi>
          </Link>
        ) : (
          <Bdi className="font-medium">{subjectLabel(entry, names)}</Bdi>
        )}
      </span>
      {changes !== "" && (
        <span dir="auto" className="line-clamp-2 text-small text-ink-3" title={changes}>
          {visibleText(changes)}
        </span>
      )}
      <span className="block truncate text-small text-ink-3 sm:hidden">
        <Bdi>{nameOf(actor)}</Bdi> · <Time at={at} />
      </span>
    </>
  );
}

/** The names of providers and of types of destinations. */
function useNames(): AuditNames {
  const { data: types = [] } = useRouteTypes();
  const { data: catalogue } = useModels();
  return useMemo(
    () =>
      new Map([
        ...types.map(({ type, title }) => [`type ${type}`, title] as const),
        ...(catalogue?.providers ?? []).map(({ id, label }) => [`provider ${id}`, label] as const),
      ]),
    [types, catalogue],
  );
}
