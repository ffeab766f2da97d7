import { useQuery } from "@tanstack/react-query";
import { listMembers } from "#client/gen/operations/members.ts";
import { readAll } from "../../../api/use-pages.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CloseIcon, EditIcon } from "../../../ui/icons.ts";
import { ruleWords } from "./rule-words.ts";
import type { Rule } from "./rules.ts";

/** Rules as sentences, with the names of their people. */
export default function RuleList({
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
