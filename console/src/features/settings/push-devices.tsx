import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { listPushDevices, removePushDevice } from "#client/gen/operations/accounts.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { deviceLabel } from "./device-label.ts";
import { pushProblem, turnOffPush, turnOnPush } from "./push.ts";

const KEY = ["push-devices"] as const;

/** The devices on which the person is notified of questions; this one is turned on and off. */
export function PushDevices() {
  const client = useQueryClient();
  const devices = useQuery({ queryKey: KEY, queryFn: () => call(listPushDevices)() });
  const { data } = devices;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (data === undefined) {
    return (
      <Section title="Notifications">
        <QueryPart query={devices} rows={1}>
          {() => null}
        </QueryPart>
      </Section>
    );
  }
  const problem = pushProblem();
  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await work().catch((error: unknown) => setFailure(asProblem(error).message));
    await client.invalidateQueries({ queryKey: KEY });
    setBusy(false);
  }
  const hasThis = data.devices.some(({ current }) => current);
  return (
    <Section
      title="Notifications"
      aside={
        !hasThis && (
          <Button
            size="small"
            isBusy={isBusy}
            blockedBy={problem}
            onClick={() => void run(() => turnOnPush(data.public_key))}
          >
            Notify me on this device
          </Button>
        )
      }
    >
      <p className="py-3 text-ink-2">
        For questions that you can answer, in all your workspaces, until you sign out on the device.
      </p>
      {failure !== undefined && <FormError>{failure}</FormError>}
      {problem !== undefined && !hasThis && <p className="pb-3 text-waiting">{problem}</p>}
      <ul>
        {data.devices.map((device) => (
          <Device key={device.id} device={device} run={run} />
        ))}
      </ul>
    </Section>
  );
}

function Device({
  device: { id, user_agent: agent, current, created_at: created, last_used_at: used },
  run,
}: {
  readonly device: components["schemas"]["PushDevice"];
  readonly run: (work: () => Promise<void>) => Promise<void>;
}) {
  async function remove(): Promise<void> {
    if (current) await turnOffPush();
    await call(removePushDevice)({ id });
  }
  return (
    <SectionRow
      end={
        <Button size="small" onClick={() => void run(remove)}>
          Turn off<span className="sr-only"> on {deviceLabel(agent)}</span>
        </Button>
      }
    >
      <span className="truncate" title={agent ?? undefined}>
        {deviceLabel(agent)}
      </span>
      <span className="text-ink-3">
        {current && "this device, "}
        {used === null ? "turned on " : "last notified "}
        <Time at={used ?? created} />
      </span>
    </SectionRow>
  );
}
