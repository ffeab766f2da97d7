import { useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import type { components } from "#client/gen/schema.ts";
import { restoreAgentVersion } from "#client/gen/operations/agent-versions.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Select } from "../../../ui/fields.tsx";
import { QueryPart } from "../../../ui/query-part.tsx";
import { showToast, undoWith } from "../../../ui/messages.ts";
import { WordDiff } from "../../../ui/word-diff.tsx";
import { useVersionDiff } from "../queries.ts";
import type { Agent, AgentVersion } from "../records.ts";
import { fieldLabel } from "./field-labels.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { usePageNavigate } from "../../../lib/use-page-navigate.ts";

const TryFirst = lazy(() => loadPart(() => import("../golden/try-first.tsx")));

/** How a version differs from an earlier one, field by field and word by word; and the way back to it. */
export function VersionDiff({
  agent,
  version,
  against,
  versions,
}: {
  readonly agent: Agent;
  readonly version: number;
  readonly against: number;
  readonly versions: readonly AgentVersion[];
}) {
  const query = useVersionDiff(agent.id, version, against);
  return (
    <section aria-label={`Version ${version}`} className="flex min-w-0 flex-col gap-6 px-page py-5">
      <header className="flex flex-wrap items-center gap-3">
        <h2 className="text-h2 font-semibold">Version {version}</h2>
        {version > 1 && <Against version={version} against={against} versions={versions} />}
        {version !== agent.version && <Restore agent={agent} version={version} />}
      </header>
      {version === 1 ? (
        <p className="text-ink-2">The first version; nothing to compare.</p>
      ) : (
        <QueryPart query={query}>{({ changes }) => <Changes changes={changes} />}</QueryPart>
      )}
    </section>
  );
}

function Changes({ changes }: Pick<components["schemas"]["AgentVersionDiff"], "changes">) {
  if (changes.length === 0) return <p className="text-ink-2">Both versions are equal.</p>;
  return changes.map(({ field, before, after }) => (
    <div key={field} className="flex flex-col gap-1.5">
      <h3 className="font-medium">{fieldLabel(field)}</h3>
      <WordDiff before={textOf(before)} after={textOf(after)} />
    </div>
  ));
}

function Against({
  version,
  against,
  versions,
}: {
  readonly version: number;
  readonly against: number;
  readonly versions: readonly AgentVersion[];
}) {
  const navigate = usePageNavigate({ from: "/w/$workspace/agents/$id" });
  const others = versions.filter((each) => each.version !== version);
  return (
    <label className="flex items-center gap-2 text-ink-2">
      compared with
      <Select
        value={against}
        onChange={({ target }) =>
          void navigate({ search: (before) => ({ ...before, version, against: Number(target.value) }), replace: true })
        }
      >
        {others.map((each) => (
          <option key={each.version} value={each.version}>
            version {each.version}
          </option>
        ))}
      </Select>
    </label>
  );
}

function Restore({ agent, version }: { readonly agent: Agent; readonly version: number }) {
  const [isAsking, setAsking] = useState(false);
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const navigate = usePageNavigate({ from: "/w/$workspace/agents/$id" });

  async function restore(to: number): Promise<string> {
    const path = { id: agent.id, version: to };
    const saved = await call(restoreAgentVersion)(path);
    client.setQueryData(["agent", agent.id], saved);
    await client.invalidateQueries({ queryKey: ["agent", agent.id] });
    void client.invalidateQueries({ queryKey: ["agents"] });
    return `Restored version ${to}, as version ${saved.version}.`;
  }

  async function confirm(): Promise<void> {
    const done = await restore(version);
    await navigate({ search: { tab: "versions" } });
    showToast(
      done,
      undoWith(async () => showToast(await restore(agent.version))),
    );
  }

  return (
    <>
      <Button className="ms-auto" blockedBy={blockedBy} onClick={() => setAsking(true)}>
        Restore version {version}
      </Button>
      {isAsking && (
        <Confirm
          title={`Restore version ${version}?`}
          action="Restore version"
          look="primary"
          onClose={() => setAsking(false)}
          onConfirm={confirm}
        >
          <p>
            The agent gets the fields of version {version}, as a new version. Version {agent.version} stays in the list,
            and runs that have begun go on as they are.
          </p>
          <Suspense>
            <TryFirst agentId={agent.id} candidate={{ version }} />
          </Suspense>
        </Confirm>
      )}
    </>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join("\n");
  return JSON.stringify(value, null, 2);
}
