import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { listMembers } from "#client/gen/operations/members.ts";
import { readAll } from "../../../api/use-pages.ts";
import { useIssue } from "../../../forms/form-context.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CloseIcon, EditIcon, PlusIcon } from "../../../ui/icons.ts";
import type { PartProps } from "./part.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { ruleWords } from "./rule-words.ts";
import type { Rule } from "./rule-words.ts";

/** The rules on which calls people approve, as sentences; the first that fits a call asks. */
export function RulesField({ draft: { rules, tools }, set }: PartProps) {
  const [open, setOpen] = useState<number>();
  const error = useIssue("config.approvals");
  function keep(rule: Rule): void {
    set({ rules: open === undefined || open === rules.length ? [...rules, rule] : rules.with(open, rule) });
  }
  return (
    <section aria-label="Rules on approvals" className="flex flex-col gap-1.5">
      <h2 className="font-medium">Rules on approvals</h2>
      {rules.length > 0 && (
        <RuleList
          rules={rules}
          onOpen={setOpen}
          onRemove={(index) => set({ rules: rules.filter((_, place) => place !== index) })}
        />
      )}
      <Button size="small" icon={PlusIcon} className="self-start" onClick={() => setOpen(rules.length)}>
        Add rule
      </Button>
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <p className="text-small text-ink-3">The first rule that fits a call asks, before “Ask first”.</p>
      {open !== undefined && (
        // Its form is not in the agent's: only its events would be.
        <div onSubmit={(event) => event.stopPropagation()}>
          <RuleDialog rule={rules[open]} tools={tools} onSave={keep} onClose={() => setOpen(undefined)} />
        </div>
      )}
    </section>
  );
}

function RuleList({
  rules,
  onOpen,
  onRemove,
}: {
  readonly rules: readonly Rule[];
  readonly onOpen: (index: number) => void;
  readonly onRemove: (index: number) => void;
}) {
  const members = useQuery({ queryKey: ["members", "all"], queryFn: () => readAll(listMembers, {}) }).data ?? [];
  const nameOf = (id: string) => members.find(({ user_id }) => user_id === id)?.name ?? id;
  return (
    <ol className="box">
      {rules.map((rule, index) => (
        // Rules have no identity but their place.
        <li key={index} className="flex items-start gap-2 border-b border-line px-3 py-2 last:border-0">
          <p dir="auto" className="min-w-0 flex-1 break-words">
            {rule.name !== undefined && <span className="block font-medium">{rule.name}</span>}
            {ruleWords(rule, nameOf)}
          </p>
          <IconButton label={`Edit rule ${index + 1}`} icon={EditIcon} onClick={() => onOpen(index)} />
          <IconButton label={`Remove rule ${index + 1}`} icon={CloseIcon} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ol>
  );
}
