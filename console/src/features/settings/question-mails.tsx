import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateProfile } from "#client/gen/operations/accounts.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { FormError } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { Section } from "../../ui/section.tsx";
import { useServiceOptions } from "../accounts/options.ts";

type Kind = components["schemas"]["Person"]["question_mails"][number];

const KINDS = [
  ["approvals", "Approvals of calls and budgets"],
  ["questions", "Other questions of agents"],
] as const;

/** Which questions the person gets by mail; nothing where the instance sends none. */
export function QuestionMails({ chosen }: { readonly chosen: readonly Kind[] }) {
  const client = useQueryClient();
  const [kinds, setKinds] = useState(chosen);
  const [failure, setFailure] = useState<string>();
  if (useServiceOptions().data?.sends_mail !== true) return null;
  async function choose(kind: Kind, isOn: boolean): Promise<void> {
    const next = isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind);
    setKinds(next);
    setFailure(undefined);
    try {
      await call(updateProfile)({ question_mails: next });
    } catch (error) {
      setKinds(kinds);
      setFailure(asProblem(error).message);
    }
    await client.invalidateQueries({ queryKey: ["profile"] });
  }
  return (
    <Section title="Mails">
      <p className="pt-3 pb-2 text-ink-2">For questions that you can answer, in all your workspaces.</p>
      <div className="flex flex-col gap-1.5">
        {KINDS.map(([kind, label]) => (
          <Checkbox
            key={kind}
            label={label}
            checked={kinds.includes(kind)}
            onChange={({ target }) => void choose(kind, target.checked)}
          />
        ))}
      </div>
      {failure !== undefined && <FormError>{failure}</FormError>}
    </Section>
  );
}
