import { useIssue } from "../../../forms/form-context.ts";
import { Checkbox, Select } from "../../../ui/fields.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { CloseIcon } from "../../../ui/icons.ts";
import type { PartProps } from "./part.ts";
import { useToolChoices } from "./tool-choices.ts";
import type { ToolChoice, ToolGroup } from "./tool-choices.ts";

/** The tools of the agent, each with whether a person has to approve its calls. */
export function ToolsField({ draft, set }: PartProps) {
  const groups = useToolChoices();
  const known = groups.flatMap(({ tools }) => tools);
  const listed = draft.tools.map((name) => known.find((tool) => tool.name === name) ?? unknownTool(name));
  const error = useIssue("tools", "config.requires_approval");

  function remove(name: string): void {
    const without = (names: readonly string[]) => names.filter((each) => each !== name);
    set({ tools: without(draft.tools), approvals: without(draft.approvals) });
  }

  function toggleApproval(name: string): void {
    const has = draft.approvals.includes(name);
    set({ approvals: has ? draft.approvals.filter((each) => each !== name) : [...draft.approvals, name] });
  }

  return (
    <section aria-label="Tools" className="flex flex-col gap-1.5">
      <h2 className="font-medium">Tools</h2>
      {listed.length > 0 && (
        <ul className="box">
          {listed.map((tool) => (
            <li
              key={tool.name}
              className="flex min-h-10 items-center gap-3 border-b border-line px-3 py-1.5 last:border-0 max-sm:flex-wrap"
            >
              <ToolName tool={tool} />
              <Checkbox
                label="Ask first"
                className="shrink-0 text-small text-ink-2"
                checked={draft.approvals.includes(tool.name)}
                onChange={() => toggleApproval(tool.name)}
                aria-label={`A person approves calls of ${tool.label}`}
              />
              <IconButton label={`Remove ${tool.label}`} icon={CloseIcon} onClick={() => remove(tool.name)} />
            </li>
          ))}
        </ul>
      )}
      <AddTool groups={groups} listed={draft.tools} onAdd={(name) => set({ tools: [...draft.tools, name] })} />
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <p className="text-small text-ink-3">With “Ask first” a call waits until a person approves it.</p>
    </section>
  );
}

function AddTool({
  groups,
  listed,
  onAdd,
}: {
  readonly groups: readonly ToolGroup[];
  readonly listed: readonly string[];
  readonly onAdd: (name: string) => void;
}) {
  return (
    <Select aria-label="Add a tool" value="" onChange={({ target }) => onAdd(target.value)} className="max-w-[20rem]">
      <option value="" disabled>
        Add a tool
      </option>
      {groups.map(({ label, tools }) => (
        <optgroup key={label} label={label}>
          {tools
            .filter(({ name }) => !listed.includes(name))
            .map(({ name, label: words, missing }) => (
              <option key={name} value={name}>
                {missing === null ? words : `${words} (not set up)`}
              </option>
            ))}
        </optgroup>
      ))}
    </Select>
  );
}

function ToolName({ tool }: { readonly tool: ToolChoice }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-mono text-mono">{tool.label}</span>
      {tool.missing !== null && <span className="block text-small text-waiting">{tool.missing}</span>}
    </span>
  );
}

function unknownTool(name: string): ToolChoice {
  return { name, label: name, missing: null };
}
