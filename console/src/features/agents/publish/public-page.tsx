import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import {
  deleteAgentPage,
  listAgentPages,
  rotateAgentPage,
  updateAgentPage,
} from "#client/gen/operations/agent-pages.ts";
import { call } from "../../../api/client.ts";
import { asProblem } from "../../../api/problem.ts";
import { useChanged } from "../../../api/use-changed.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { cost } from "../../../lib/format.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { FormError } from "../../../ui/field.tsx";
import { RemoveButton } from "../../../ui/removal.tsx";
import { PageDialog } from "./page-dialog.tsx";
import type { AgentPage } from "./page-dialog.tsx";
import type { Agent } from "../records.ts";
import { CopyRow, Way } from "./way.tsx";

/** The page on which visitors without an account talk to the agent. */
export function PublicPage({ agent }: { readonly agent: Agent }) {
  const { data } = useQuery({
    queryKey: ["pages", agent.id],
    queryFn: async () => (await call(listAgentPages)({ agent_id: agent.id })).items,
  });
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<string>();
  const blockedBy = useBlockedBy("admin");
  const changed = useChanged("pages");
  if (data === undefined) return null;
  const [page] = data;

  async function change(isOn: boolean): Promise<void> {
    if (page === undefined) return setOpen(true);
    setError(undefined);
    try {
      await call(updateAgentPage)({ id: page.id }, { is_on: isOn });
      await changed();
    } catch (failure) {
      setError(asProblem(failure).message);
    }
  }

  return (
    <>
      <Way
        title="Page"
        isOn={page?.is_on === true}
        needs="admin"
        label="Let visitors talk to it"
        onChange={(isOn) => void change(isOn)}
        about="A page of its own, for people without an account: chat, files and questions, with limits and a budget. Sites can show it in a frame."
        below={
          <>
            {error !== undefined && <FormError>{error}</FormError>}
            {page !== undefined && (
              <Settings page={page} blockedBy={blockedBy} onEdit={() => setOpen(true)} onChanged={changed} />
            )}
          </>
        }
      >
        {page !== undefined && <Address page={page} />}
      </Way>
      {isOpen && <PageDialog agent={agent} page={page} onClose={() => setOpen(false)} onSaved={changed} />}
    </>
  );
}

function Address({ page: { url, title, origins } }: { readonly page: AgentPage }) {
  return (
    <>
      <CopyRow label="Address" text={url} />
      {origins.length > 0 && <CopyRow label="Frame" text={snippetOf(url, title)} />}
      {origins.length === 0 && <Note>To show it in a frame, allow the origin of your site in its settings.</Note>}
    </>
  );
}

function Settings({
  page,
  blockedBy,
  onEdit,
  onChanged,
}: {
  readonly page: AgentPage;
  readonly blockedBy: string | undefined;
  readonly onEdit: () => void;
  readonly onChanged: () => Promise<void>;
}) {
  const { id } = page;
  return (
    <div className="flex flex-col gap-3">
      <Spent page={page} />
      <div className="flex flex-wrap gap-2">
        {page.is_on && (
          <a href={page.url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
            Open page
          </a>
        )}
        <Button blockedBy={blockedBy} onClick={onEdit}>
          Page settings
        </Button>
        <RemoveButton
          blockedBy={blockedBy}
          removal={{
            title: "End all visits?",
            action: "End visits",
            effect: "Answers in progress go on unseen. Who comes again starts without earlier conversations.",
            remove: () => call(rotateAgentPage)({ id }).then(onChanged),
          }}
        />
        <RemoveButton
          blockedBy={blockedBy}
          removal={{
            title: `Delete the page "${page.title}"?`,
            action: "Delete page",
            effect: "Its address stops working, and its budgets go with it. The runs of its visitors stay.",
            remove: () => call(deleteAgentPage)({ id }).then(onChanged),
          }}
        />
      </div>
    </div>
  );
}

function Spent({ page: { budget_day: day, budget_month: month } }: { readonly page: AgentPage }) {
  if (day === null && month === null) {
    return <Note>Nothing limits what its visitors cost. Set a budget in its settings.</Note>;
  }
  const parts = [
    day && `${cost(day.used_usd)} of ${cost(day.max_usd)} today`,
    month && `${cost(month.used_usd)} of ${cost(month.max_usd)} this month`,
  ];
  return <Note>Spent {parts.filter((part) => part !== null).join(", ")}.</Note>;
}

function Note({ children }: { readonly children: ReactNode }) {
  return <p className="text-small text-ink-2">{children}</p>;
}

/** What a site shows the page with. */
function snippetOf(url: string, title: string): string {
  const name = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${url}" title="${name}" width="400" height="600" style="border:0"></iframe>`;
}
