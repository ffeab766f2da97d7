import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { deleteGoldenCase } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../../api/use-session.ts";
import { plural } from "../../../lib/format.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { RecordMenu } from "../../../ui/record-menu.tsx";
import { Section, SectionEmpty, SectionRow } from "../../../ui/section.tsx";
import type { GoldenCase } from "./queries.ts";

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
          {null}
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
      <span className="text-small text-ink-2">{checks.map(({ type }) => LABELS[type]).join(", ")}</span>
    </SectionRow>
  );
}

const LABELS = {
  exact: "exactly as expected",
  contains: "contains a text",
  pattern: "matches a pattern",
  json_schema: "fits a JSON Schema",
  numbers: "numbers within a distance",
  judge: "judged by an agent",
  tools: "same tools",
  cost: "cost",
  time: "time",
} as const satisfies Record<GoldenCase["checks"][number]["type"], string>;
