import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { listFirstSteps } from "#client/gen/operations/workspaces.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { identityOf, sessionState } from "../../api/session.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";

type FirstStep = components["schemas"]["FirstStep"];

/** What each step is called, what it is good for, and where it is taken. */
const STEPS = {
  agent: { label: "Create an agent", why: "Start from a template.", to: "/w/$workspace/agents/new", search: {} },
  run: { label: "Run a task", why: "Watch each step and its cost.", to: "/w/$workspace/runs", search: { new: "task" } },
  model: {
    label: "Connect a model",
    why: "Add a provider's key; the demo model stays.",
    to: "/w/$workspace/settings/models",
    search: {},
  },
  destination: {
    label: "Connect a destination",
    why: "Send results to chat, mail, documents or your own code.",
    to: "/w/$workspace/destinations",
    search: {},
  },
  person: {
    label: "Invite a person",
    why: "So that others can answer agents' questions, too.",
    to: "/w/$workspace/settings/members",
    search: {},
  },
} as const satisfies Readonly<Record<FirstStep["id"], object>>;

const HIDDEN = "muster.first-steps.";

/** The first steps in this workspace, while the person has not hidden them. Hidden ones are not asked for. */
export function useFirstSteps() {
  const key = HIDDEN + (identityOf(sessionState()) ?? "");
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null);
  const query = useQuery({
    queryKey: ["first-steps"],
    queryFn: async () => {
      const steps = await call(listFirstSteps)();
      // What is complete stays so: this browser need not ask again.
      if (steps.every(({ done }) => done)) localStorage.setItem(key, "done");
      return steps;
    },
    enabled: !isHidden,
  });
  function hide(): void {
    localStorage.setItem(key, "hidden");
    setHidden(true);
  }
  return { query, isHidden: isHidden || query.data?.every(({ done }) => done) === true, hide };
}

/** The list of the first steps; nothing once all are taken or the person has hidden it. */
export function FirstSteps({ steps: { query, isHidden, hide } }: { readonly steps: ReturnType<typeof useFirstSteps> }) {
  if (isHidden) return null;
  const taken = query.data?.filter(({ done }) => done).length;
  return (
    <Section
      title="First steps"
      aside={
        <>
          {taken !== undefined && <span>{taken} of 5 done</span>}
          <Button look="quiet" size="small" onClick={hide}>
            Hide
          </Button>
        </>
      }
    >
      <QueryPart query={query}>
        {(steps) => (
          <ul>
            {steps.map((step) => (
              <StepRow key={step.id} step={step} />
            ))}
          </ul>
        )}
      </QueryPart>
    </Section>
  );
}

function StepRow({ step: { id, done } }: { readonly step: FirstStep }) {
  const { slug } = useWorkspace();
  const { label, why, to, search } = STEPS[id];
  return (
    <SectionRow>
      <StateIcon state={done ? "completed" : "pending"} decorative />
      <span className="sr-only">{done ? "Done:" : "To do:"}</span>
      {done ? (
        <span className="text-ink-2">{label}</span>
      ) : (
        <>
          <Link to={to} params={{ workspace: slug }} search={search} className={ROW_LINK}>
            {label}
          </Link>
          <span className="text-ink-3 max-sm:hidden">{why}</span>
        </>
      )}
    </SectionRow>
  );
}
