import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useBlockedBy } from "../../../api/use-session.ts";
import { exactTime } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/fields.tsx";
import { QueryPart } from "../../../ui/query-part.tsx";
import { Section, SectionEmpty } from "../../../ui/section.tsx";
import { useAction } from "../../../ui/use-action.ts";
import type { DraftState } from "../form/use-draft.ts";
import { useVersions } from "../queries.ts";
import type { Agent } from "../records.ts";
import { CaseList } from "./case-list.tsx";
import { Gate } from "./gate.tsx";
import { GoldenRunPart, triedName } from "./golden-run.tsx";
import { useGoldenCases, useGoldenRuns } from "./queries.ts";
import { startGolden } from "./start-golden.ts";
import { useShowGolden } from "./use-show-golden.ts";

interface GoldenProps {
  readonly agent: Agent;
  /** What of the agent is not saved: a golden run may have tried it. */
  readonly draft: DraftState;
  /** The golden run that is shown; by default the newest. */
  readonly shown: string | undefined;
}

/** The golden cases of an agent, how its versions and changes do on them, and the gate. */
export default function Golden(props: GoldenProps) {
  const { agent } = props;
  return (
    <div className="flex flex-col gap-8 px-page py-5">
      <QueryPart query={useGoldenCases(agent.id)}>
        {(cases) => (
          <>
            <Runs {...props} hasCases={cases.length > 0} />
            <CaseList agentId={agent.id} cases={cases} />
          </>
        )}
      </QueryPart>
      <Gate agentId={agent.id} />
    </div>
  );
}

function Runs({ agent, draft, shown, hasCases }: GoldenProps & { readonly hasCases: boolean }) {
  const show = useShowGolden(agent.id);
  const { data: runs = [] } = useGoldenRuns(agent.id);
  const current = shown ?? runs[0]?.id;
  return (
    <Section title="Golden runs" aside={hasCases && <Start agent={agent} onStart={show} />}>
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
              onChange={({ target }) => void show(target.value)}
            >
              {runs.map(({ id, version, model, passed, cases, created_at: at }) => (
                <option key={id} value={id}>
                  {`${triedName(version)}, ${model}: ${passed} of ${cases} passed, ${exactTime(new Date(at))}`}
                </option>
              ))}
            </Select>
          )}
          <GoldenRunPart key={current} agent={agent} draft={draft} id={current} onStart={show} />
        </>
      )}
    </Section>
  );
}

function Start({ agent, onStart }: { readonly agent: Agent; readonly onStart: (id: string) => Promise<void> }) {
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  const [chosen, setChosen] = useState<number>();
  const version = chosen ?? agent.version;
  const { data: versions = [] } = useVersions(agent.id);
  const { act, isBusy } = useAction(async () => {
    await onStart(await startGolden(client, agent.id, { version }));
  });
  return (
    <>
      <Select aria-label="Version to try" value={version} onChange={({ target }) => setChosen(Number(target.value))}>
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
