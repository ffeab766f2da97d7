import { createAgentPage, getAgentPage, updateAgentPage } from "#client/gen/operations/agent-pages.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../../api/client.ts";
import type { Edited } from "../../../forms/use-edited.ts";
import { textIn } from "../../../forms/use-submit.ts";
import { TextField } from "../../../ui/field.tsx";
import { Checkbox, TextareaField } from "../../../ui/fields.tsx";
import { Folded } from "../../../ui/folded.tsx";
import { RecordDialog } from "../../../ui/record-dialog.tsx";
import type { Agent } from "../records.ts";

/** A page of an agent. */
export type AgentPage = components["schemas"]["AgentPage"];

/** The limits that a person sets, in the order of the form. */
const LIMITS = {
  visitor_minute: "Messages of a visitor per minute",
  visitor_day: "Messages of a visitor per day",
  address_minute: "Messages of a network address per minute",
  address_day: "Messages of a network address per day",
  page_minute: "Messages of all visitors per minute",
  page_day: "Messages of all visitors per day",
  message_chars: "Characters of a message",
  file_bytes: "Bytes of a file",
} as const;
type Limit = keyof typeof LIMITS;
const LIMIT_NAMES: readonly Limit[] = [
  "visitor_minute",
  "visitor_day",
  "address_minute",
  "address_day",
  "page_minute",
  "page_day",
  "message_chars",
  "file_bytes",
];

/** Makes the page of an agent, or changes it. */
export function PageDialog({
  agent,
  page,
  onSaved,
  onClose,
}: {
  readonly agent: Agent;
  readonly page: AgentPage | undefined;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}) {
  async function save(values: FormData, { opened, changesOf }: Edited<AgentPage>): Promise<void> {
    const fields = { ...fieldsIn(values), ...codeIn(values, opened) };
    if (opened === undefined) {
      await call(createAgentPage)({ agent_id: agent.id, is_on: true, ...fields });
      return;
    }
    await call(updateAgentPage)({ id: opened.id }, await changesOf(fields, budgetsOf));
  }
  return (
    <RecordDialog
      title={page === undefined ? "New page" : "Page settings"}
      action={page === undefined ? "Create page and switch it on" : "Save page"}
      draft={`page.${page?.id ?? agent.id}`}
      record={page}
      read={({ id }) => call(getAgentPage)({ id })}
      save={save}
      onSaved={async () => {
        onClose();
        await onSaved();
      }}
      onClose={onClose}
    >
      <Shown agent={agent} page={page} />
      <Bounds page={page} />
    </RecordDialog>
  );
}

interface Of {
  readonly page: AgentPage | undefined;
}

/** What visitors see. */
function Shown({ agent, page }: Of & { readonly agent: Agent }) {
  return (
    <>
      <TextField name="title" label="Title" required maxLength={100} defaultValue={page?.title ?? agent.name} />
      <TextField
        name="slug"
        label="Address"
        aside="/p/…"
        help="Letters, digits and hyphens."
        required
        maxLength={64}
        autoCapitalize="none"
        defaultValue={page?.slug ?? slugOf(agent.name)}
      />
      <TextareaField
        name="greeting"
        label="Greeting"
        aside="optional"
        help="Shown before the first message; Markdown."
        maxLength={2_000}
        defaultValue={page?.greeting}
      />
      <TextareaField
        name="prompts"
        label="Suggestions"
        aside="optional, one per line"
        defaultValue={page?.prompts.join("\n")}
      />
      <Checkbox name="takes_files" label="Visitors may attach files" defaultChecked={page?.takes_files === true} />
    </>
  );
}

/** Who may use it, and how much. */
function Bounds({ page }: Of) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Money name="budget_day_usd" label="Budget per day" value={page ? page.budget_day : DEFAULT_DAY} />
        <Money name="budget_month_usd" label="Budget per month" value={page ? page.budget_month : null} />
      </div>
      <TextareaField
        name="origins"
        label="Sites that may show it in a frame"
        aside="optional, one per line"
        placeholder="https://www.example.com"
        defaultValue={page?.origins.join("\n")}
      />
      <TextField
        name="code"
        label="Code"
        aside="optional"
        help={page?.has_code === true ? "Leave it empty to keep the stored one." : "Visitors must enter it first."}
        autoComplete="off"
        maxLength={100}
        placeholder={page?.has_code === true ? "Stored" : undefined}
      />
      {page?.has_code === true && <Checkbox name="open" label="Remove the code" />}
      {page !== undefined && (
        <Folded title="Limits">
          <div className="flex flex-col gap-4 pt-3">
            {LIMIT_NAMES.map((name) => (
              <TextField
                key={name}
                name={`limits.${name}`}
                label={LIMITS[name]}
                type="number"
                min={1}
                defaultValue={page.limits[name]}
              />
            ))}
          </div>
        </Folded>
      )}
    </>
  );
}

const DEFAULT_DAY = { max_usd: 5, used_usd: 0 };

function Money({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: AgentPage["budget_day"];
}) {
  return (
    <TextField
      name={name}
      label={label}
      aside="US dollars"
      help="Empty: no limit of its own."
      type="number"
      min={0}
      step="any"
      defaultValue={value?.max_usd}
    />
  );
}

function fieldsIn(values: FormData) {
  const limits = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const text = textIn(values, `limits.${name}`);
      return text === "" ? [] : [[name, Number(text)]];
    }),
  );
  return {
    title: textIn(values, "title"),
    slug: textIn(values, "slug"),
    greeting: textIn(values, "greeting"),
    prompts: linesIn(values, "prompts"),
    takes_files: values.has("takes_files"),
    origins: linesIn(values, "origins"),
    budget_day_usd: amountIn(values, "budget_day_usd"),
    budget_month_usd: amountIn(values, "budget_month_usd"),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

/** The same fields of a record. */
function budgetsOf(page: AgentPage) {
  return {
    ...page,
    budget_day_usd: page.budget_day?.max_usd ?? null,
    budget_month_usd: page.budget_month?.max_usd ?? null,
  };
}

function codeIn(values: FormData, opened: AgentPage | undefined): { readonly code?: string | null } {
  if (values.has("open")) return { code: null };
  const code = textIn(values, "code");
  return code === "" && opened !== undefined ? {} : { code: code === "" ? null : code };
}

function linesIn(values: FormData, name: string): string[] {
  return textIn(values, name)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function amountIn(values: FormData, name: string): number | null {
  const text = textIn(values, name);
  return text === "" ? null : Number(text);
}

/** An address from a name: what is neither letter nor digit becomes a hyphen. */
function slugOf(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase();
  const words = plain.split(/[^a-z0-9]/).filter((word) => word !== "");
  return words.join("-").slice(0, 60);
}
