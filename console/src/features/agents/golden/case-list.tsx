import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { deleteGoldenCase } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../../api/use-session.ts";
import { plural } from "../../../lib/format.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { MenuItem } from "../../../ui/menu.tsx";
import { RecordMenu } from "../../../ui/record-menu.tsx";
import { Section, SectionEmpty, SectionRow } from "../../../ui/section.tsx";
import { CHECK_LABELS } from "./checks.ts";
import type { GoldenCase } from "./queries.ts";

const CaseDialog = lazy(() => loadPart(() => import("./case-dialog.tsx")));

/** The golden cases of an agent, each with its checks. */
export function CaseList({ agentId, cases }: { readonly agentId: string; readonly cases: readonly GoldenCase[] }) {
  return (
    <Section title="Golden cases" aside={cases.length > 0 && plural(cases.length, "case")}>
      {cases.length === 0 ? (
        <SectionEmpty>A kept run says what later versions must do.</SectionEmpty>
      ) : (
        <ul>
          {cases.map((one) => (
            <Case key={one.id} agentId={agentId} golden={one} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Case({ agentId, golden }: { readonly agentId: string; readonly golden: GoldenCase }) {
  const { id, name, checks, source_run_id: run } = golden;
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  return (
    <SectionRow
      end={
        <RecordMenu
          name={name}
          blockedBy={blockedBy}
          deletion="Delete"
          removal={{
            title: `Delete the golden case "${name}"?`,
            action: "Delete case",
            effect: "Later golden runs do not try it. Results of before stay.",
            remove: () =>
              call(deleteGoldenCase)({ id }).then(() => client.invalidateQueries({ queryKey: ["golden", agentId] })),
          }}
        >
          <MenuItem blockedBy={blockedBy} onSelect={() => setEditing(true)}>
            Edit
          </MenuItem>
        </RecordMenu>
      }
    >
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: run }}
        className="min-w-0 truncate font-medium hover:underline"
      >
        <Bdi>{name}</Bdi>
      </Link>
      <span className="text-small text-ink-2">{checks.map(({ type }) => CHECK_LABELS[type]).join(", ")}</span>
      {isEditing && (
        <Suspense>
          <CaseDialog agentId={agentId} golden={golden} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </SectionRow>
  );
}
