import { Suspense, lazy, useState } from "react";
import { useBlockedBy } from "../../../api/use-session.ts";
import { useIssue } from "../../../forms/form-context.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { Button } from "../../../ui/button.tsx";
import { PlusIcon } from "../../../ui/icons.ts";
import type { PartProps } from "./part.ts";
import { raised } from "./rules.ts";
import type { Rule } from "./rules.ts";
import { useToolChoices } from "./tool-choices.ts";

const RuleDialog = lazy(() => loadPart(() => import("./rule-dialog.tsx")));
const RuleList = lazy(() => loadPart(() => import("./rule-list.tsx")));

/** The rules on which calls people approve, as sentences; the first that fits a call asks. */
export function RulesField({ draft: { rules, tools }, set }: PartProps) {
  const [open, setOpen] = useState<number>();
  const known = useToolChoices().flatMap((group) => group.tools);
  const choices = tools.map((name) => known.find((tool) => tool.name === name) ?? { name, label: name });
  const error = useIssue("config.approvals");
  const blockedBy = useBlockedBy("member");
  function keep(rule: Rule): void {
    set({ rules: open === undefined || open === rules.length ? [...rules, rule] : rules.with(open, rule) });
  }
  return (
    <section aria-label="Rules on approvals" className="flex flex-col gap-1.5">
      <h2 className="font-medium">Rules on approvals</h2>
      {rules.length > 0 && (
        <Suspense>
          <RuleList
            rules={rules}
            onOpen={setOpen}
            onRaise={(index) => set({ rules: raised(rules, index) })}
            onRemove={(index) => set({ rules: rules.filter((_, place) => place !== index) })}
          />
        </Suspense>
      )}
      <Button
        size="small"
        icon={PlusIcon}
        blockedBy={blockedBy}
        className="self-start"
        onClick={() => setOpen(rules.length)}
      >
        Add rule
      </Button>
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <p className="text-small text-ink-3">The first rule that fits a call asks, before “Ask first”.</p>
      {open !== undefined && (
        // Its form is not in the agent's: only its events would be.
        <div onSubmit={(event) => event.stopPropagation()}>
          <Suspense>
            <RuleDialog rule={rules[open]} tools={choices} onSave={keep} onClose={() => setOpen(undefined)} />
          </Suspense>
        </div>
      )}
    </section>
  );
}
