import { useState } from "react";
import { cancelGoldenRun, publishGoldenCandidate, startGoldenRun } from "#client/gen/operations/golden-runs.ts";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { exactTime } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/fields.tsx";
import { showToast } from "../../../ui/messages.ts";
import { QueryPart } from "../../../ui/query-part.tsx";
import { Section, SectionEmpty } from "../../../ui/section.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { useVersions } from "../queries.ts";
import type { Agent } from "../records.ts";
import { CaseList } from "./case-list.tsx";
import { Gate } from "./gate.tsx";
import { useGoldenCases, useGoldenRun, useGoldenRuns } from "./queries.ts";
import { ResultTable } from "./result-table.tsx";

/** The golden cases of an agent, how its versions do on them, and the gate. */
export default function Golden({ agent }: { readonly agent: Agent }) {
  return (
    <div className="flex flex-col gap-8 px-page py-5">
      <QueryPart query={useGoldenCases(agent.id)}>
        {(cases) => (
          <>
            <Runs agent={agent} hasCases={cases.length > 0} />
            <CaseList agentId={agent.id} cases={cases} />
          </>
        )}
      </QueryPart>
      <Gate agentId={agent.id} />
    </div>
  );
}

function Runs({ agent, hasCases }: { readonly agent: Agent; readonly hasCases: boolean }) {
  const [shown, setShown] = useState<string>();
  const { data: runs = [] } = useGoldenRuns(agent.id);
  const current = shown ?? runs[0]?.id;
  return (
    <Section title="Golden runs" aside={hasCases && <Start agent={agent} onStart={setShown} />}>
      {current === undefined ? (
        <SectionEmpty>
          {hasCases ? "Try a version: no tool is called." : "Keep a run as golden first, from the menu of a run."}
        </SectionEmpty>
      ) : (
        <>
          {runs.length > 1 && (
            <Select
              aria-label="Golden run"
              className="my-2 self-start"
              value={current}
              onChange={({ target }) => setShown(target.value)}
            >
              {runs.map(({ id, version, model, passed, cases, created_at: at }) => (
                <option key={id} value={id}>
                  {`${nameOf(version)}, ${model}: ${passed} of ${cases} passed, ${exactTime(new Date(at))}`}
                </option>
              ))}
            </Select>
          )}
          <Run key={current} agent={agent} id={current} />
        </>
      )}
    </Section>
  );
}

function nameOf(version: number | null): string {
  return version === null ? "Changes" : `Version ${version}`;
}

function Start({ agent, onStart }: { readonly agent: Agent; readonly onStart: (id: string) => void }) {
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const [version, setVersion] = useState(agent.version);
  const { data: versions = [] } = useVersions(agent.id);
  const { act, isBusy } = useAction(async () => {
    const { id } = await call(startGoldenRun)({ id: agent.id }, { version });
    await client.invalidateQueries({ queryKey: ["golden", agent.id, "runs"] });
    onStart(id);
  });
  return (
    <>
      <Select aria-label="Version to try" value={version} onChange={({ target }) => setVersion(Number(target.value))}>
        {versions.map((each) => (
          <option key={each.version} value={each.version}>
            Version {each.version}
          </option>
        ))}
      </Select>
      <Button blockedBy={blockedBy} isBusy={isBusy} onClick={act}>
        Try it
      </Button>
    </>
  );
}

function Run({ agent, id }: { readonly agent: Agent; readonly id: string }) {
  const query = useGoldenRun(agent.id, id);
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const cancel = useAction(async () => {
    client.setQueryData(["golden", agent.id, "run", id], await call(cancelGoldenRun)({ id }));
  });
  return (
    <QueryPart query={query}>
      {(run) => (
        <>
          <div className="flex flex-wrap items-center gap-3 py-3">
            <p role="status" className="me-auto">
              {`${nameOf(run.version)} on ${run.model}: ${run.passed} of ${run.cases} cases passed`}
              {run.running > 0 && `, ${run.running} running`}
            </p>
            {run.running > 0 && (
              <Button blockedBy={blockedBy} isBusy={cancel.isBusy} onClick={cancel.act}>
                Cancel
              </Button>
            )}
            {run.status !== "running" && run.version !== null && run.version !== agent.version && (
              <PublishVersion agent={agent} version={run.version} />
            )}
          </div>
          <ResultTable results={run.results} />
        </>
      )}
    </QueryPart>
  );
}

function PublishVersion({ agent, version }: { readonly agent: Agent; readonly version: number }) {
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const { act, isBusy } = useAction(async () => {
    const saved = await call(publishGoldenCandidate)({ id: agent.id }, { version });
    client.setQueryData(["agent", agent.id], saved);
    await client.invalidateQueries({ queryKey: ["agent", agent.id] });
    showToast(`Published version ${version}, as version ${saved.version}.`);
  });
  return (
    <Button look="primary" blockedBy={blockedBy} isBusy={isBusy} onClick={act}>
      Publish version {version}
    </Button>
  );
}
