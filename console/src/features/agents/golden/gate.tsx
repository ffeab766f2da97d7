import { useQueryClient } from "@tanstack/react-query";
import { setGoldenGate } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { Select } from "../../../ui/fields.tsx";
import { orTell } from "../../../ui/messages.ts";
import { QueryPart } from "../../../ui/query-part.tsx";
import { Section } from "../../../ui/section.tsx";
import { useGoldenGate } from "./queries.ts";

/** What a change of the agent must pass before it is stored; admins set it. */
export function Gate({ agentId }: { readonly agentId: string }) {
  const blockedBy = useBlockedBy("admin");
  const client = useQueryClient();
  const set = async (value: string) => {
    const required = value === "all" || value === "none" ? value : Number(value);
    client.setQueryData(["golden", agentId, "gate"], await call(setGoldenGate)({ id: agentId }, { required }));
  };
  return (
    <Section title="Gate">
      <QueryPart query={useGoldenGate(agentId)} rows={1}>
        {({ required, cases, fault }) => (
          <div className="flex flex-col gap-2 py-3">
            <label className="flex flex-wrap items-center gap-2">
              A change of the agent must pass
              <Select
                value={String(required)}
                disabled={blockedBy !== undefined}
                title={blockedBy}
                onChange={({ target }) => orTell(set(target.value))}
              >
                <option value="none">no golden cases</option>
                <option value="all">all golden cases</option>
                {numbersUpTo(cases, required).map((number) => (
                  <option key={number} value={number}>
                    {`${number} of ${cases} golden cases`}
                  </option>
                ))}
              </Select>
            </label>
            {fault !== null && <p className="text-small text-ink-2">{fault}</p>}
          </div>
        )}
      </QueryPart>
    </Section>
  );
}

/** The numbers to choose from, with the one that is set. */
function numbersUpTo(cases: number, required: number | string): readonly number[] {
  const numbers = new Set(Array.from({ length: Math.min(cases, 20) }, (_, index) => index + 1));
  if (typeof required === "number") numbers.add(required);
  return [...numbers];
}
