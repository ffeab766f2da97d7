import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useBlockedBy } from "../../api/use-session.ts";
import { FormContext } from "../../forms/form-context.ts";
import { useFocusRejected, useIssues } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Checkbox, Select, TextareaField } from "../../ui/fields.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { listAt } from "./config/fields.ts";
import { JsonView } from "./config/json-view.tsx";
import { CollaborationForm, MemoryForm, OrchestratorForm, PipelineForm } from "./config/mode-forms.tsx";
import type { ModeFormProps } from "./config/mode-forms.tsx";
import { RoutesControl } from "./config/routes.tsx";
import type { TeamDraft } from "./draft.ts";
import { GraphEditor } from "./graph/graph-editor.tsx";
import { MODE_LABELS } from "./modes.tsx";
import { TEAM_MODES } from "../used-by/team-mode.ts";
import type { TeamMode } from "../used-by/team-mode.ts";

const FORMS = { pipeline: PipelineForm, orchestrator: OrchestratorForm, collaboration: CollaborationForm } as const;

/** The config of a team as controls or JSON, with a graph of it beside them; both edit the same config. */
export function ConfigTab({ draft, isJson }: { readonly draft: TeamDraft; readonly isJson: boolean }) {
  const { design, problem, change, isSaving } = draft;
  const issues = useIssues(problem);
  const blockedBy = useBlockedBy("member");
  const isReadOnly = blockedBy !== undefined;
  const [openStep, setOpenStep] = useState(listAt(design.config, "steps").length === 1 ? 0 : undefined);
  const form = useRef<HTMLDivElement>(null);
  useFocusRejected(form, problem);

  function showDetails(step: number): void {
    flushSync(() => setOpenStep(step));
    form.current?.querySelector<HTMLElement>(`[aria-label="Step ${step + 1}"] input`)?.focus();
  }

  return (
    <FormContext value={{ ...issues, isBusy: isSaving, blockedBy }}>
      <div className="flex min-h-0 flex-1 max-lg:flex-col">
        <div ref={form} className="flex min-w-0 flex-1 flex-col gap-6 px-page py-5">
          <div className="flex w-full max-w-[40rem] flex-col gap-6">
            {isReadOnly && <p className="note bg-surface text-ink-2">{blockedBy}</p>}
            <Outdated draft={draft} />
            <FormProblem />
            <General draft={draft} isReadOnly={isReadOnly} />
            <Config {...{ draft, isJson, isReadOnly, openStep }} onOpenStep={setOpenStep} />
          </div>
        </div>
        <aside
          aria-label="Graph"
          className="w-[24.5rem] shrink-0 border-s border-line bg-surface px-page py-5 max-lg:w-full max-lg:border-s-0 max-lg:border-t"
        >
          <GraphEditor
            draft={draft}
            isReadOnly={isReadOnly}
            onChange={(config) => {
              change({ config });
              // Its index may be another step's now.
              setOpenStep(undefined);
            }}
            onDetails={isJson || design.mode !== "pipeline" ? undefined : showDetails}
          />
        </aside>
      </div>
    </FormContext>
  );
}

/** That another person has saved the team: the next save replaces that. */
function Outdated({ draft: { isOutdated, discard } }: { readonly draft: TeamDraft }) {
  if (!isOutdated) return null;
  return (
    <p
      role="alert"
      ref={showInView}
      className="note flex scroll-mt-32 items-center justify-between gap-3 bg-waiting-soft text-waiting"
    >
      The team was changed since you began. Saving replaces that.
      <Button size="small" onClick={discard}>
        Discard mine
      </Button>
    </p>
  );
}

/** A save in a form that is scrolled down is what shows it. */
function showInView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** What its mode asks for, as controls or as JSON. */
function Config({
  draft,
  isJson,
  isReadOnly,
  ...steps
}: {
  readonly draft: TeamDraft;
  readonly isJson: boolean;
  readonly isReadOnly: boolean;
} & Omit<ModeFormProps, "part">) {
  const { mode, config } = draft.design;
  const part = {
    fields: config,
    onChange: (next: typeof config) => draft.change({ config: next }),
    path: "config",
    isReadOnly,
  };
  const ModeForm = FORMS[mode];
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-5">
      <header className="flex items-center justify-between">
        <h2 className="text-h2 font-semibold">{MODE_LABELS[mode].label}</h2>
        <Link
          to="."
          search={(before) => ({ ...before, view: isJson ? undefined : ("json" as const) })}
          replace
          className="text-accent hover:underline"
        >
          {isJson ? "Show controls" : "Show as JSON"}
        </Link>
      </header>
      {isJson ? (
        <JsonView key={`${mode} ${draft.discards}`} part={part} onFault={draft.setFault} />
      ) : (
        <>
          <ModeForm part={part} {...steps} />
          <h3 className="mt-2 text-h3 font-semibold">Memory</h3>
          <MemoryForm part={part} />
        </>
      )}
    </section>
  );
}

function General({ draft, isReadOnly }: { readonly draft: TeamDraft; readonly isReadOnly: boolean }) {
  const { design, change } = draft;
  return (
    <section className="flex flex-col gap-4">
      <div className="grid grid-cols-[1fr_12.5rem] gap-4 max-sm:grid-cols-1">
        <TextField
          label="Name"
          path="name"
          maxLength={100}
          readOnly={isReadOnly}
          value={design.name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <ModeControl draft={draft} isReadOnly={isReadOnly} />
      </div>
      <TextareaField
        label="Description"
        path="description"
        rows={2}
        className="min-h-14!"
        readOnly={isReadOnly}
        value={design.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      <RoutesControl
        value={design.output_route_ids}
        isReadOnly={isReadOnly}
        onChange={(ids) => change({ output_route_ids: ids })}
      />
      <Checkbox
        label="Offer in the marketplace"
        disabled={isReadOnly}
        checked={design.is_marketplace}
        onChange={({ target }) => change({ is_marketplace: target.checked })}
      />
    </section>
  );
}

/** Another mode has another config: what there is of one is asked about. */
function ModeControl({ draft, isReadOnly }: { readonly draft: TeamDraft; readonly isReadOnly: boolean }) {
  const { design, change } = draft;
  const [asked, setAsked] = useState<TeamMode>();
  return (
    <Field label="Mode" path="mode">
      <Select
        disabled={isReadOnly}
        value={design.mode}
        onChange={({ target }) => setAsked(TEAM_MODES.find((mode) => mode === target.value))}
      >
        {TEAM_MODES.map((mode) => (
          <option key={mode} value={mode}>
            {MODE_LABELS[mode].label}
          </option>
        ))}
      </Select>
      {asked !== undefined && asked !== design.mode && (
        <Confirm
          title={`Change to ${MODE_LABELS[asked].label.toLowerCase()}?`}
          action="Change mode"
          onConfirm={async () => change({ mode: asked, config: EMPTY_CONFIGS[asked] })}
          onClose={() => setAsked(undefined)}
        >
          <p>{MODE_LABELS[asked].sentence} The config starts empty. Nothing changes until you save.</p>
        </Confirm>
      )}
    </Field>
  );
}

/** A config that names no agents yet; the server's form of a draft. */
const EMPTY_CONFIGS = {
  pipeline: { steps: [], auto_handoff: true },
  orchestrator: { worker_agent_ids: [] },
  collaboration: { agent_ids: [] },
} as const;
