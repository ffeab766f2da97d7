import { IconButton } from "../../../ui/button.tsx";
import { ArrowUpIcon, CloseIcon, EditIcon } from "../../../ui/icons.ts";
import { useRuleNames } from "./rule-names.ts";
import { ruleWords } from "./rule-words.ts";
import type { Rule } from "./rules.ts";

/** Rules as sentences, with the names of their people, in the order in which they ask. */
export default function RuleList({
  rules,
  onOpen,
  onRaise,
  onRemove,
}: {
  readonly rules: readonly Rule[];
  readonly onOpen: (index: number) => void;
  /** Moves a rule before the one above it; absent for who may not. */
  readonly onRaise?: ((index: number) => void) | undefined;
  /** Absent where rules are removed in their dialog. */
  readonly onRemove?: ((index: number) => void) | undefined;
}) {
  const names = useRuleNames();
  return (
    <ol className="box">
      {rules.map((rule, index) => (
        // Rules have no identity but their place.
        <li key={index} className="flex items-start gap-2 border-b border-line px-3 py-2 last:border-0">
          <p dir="auto" className="min-w-0 flex-1 break-words">
            {rule.name !== undefined && <span className="block font-medium">{rule.name}</span>}
            {ruleWords(rule, names)}
          </p>
          {onRaise !== undefined && index > 0 && (
            <IconButton label={`Move rule ${index + 1} up`} icon={ArrowUpIcon} onClick={() => onRaise(index)} />
          )}
          <IconButton label={`Edit rule ${index + 1}`} icon={EditIcon} onClick={() => onOpen(index)} />
          {onRemove !== undefined && (
            <IconButton label={`Remove rule ${index + 1}`} icon={CloseIcon} onClick={() => onRemove(index)} />
          )}
        </li>
      ))}
    </ol>
  );
}
