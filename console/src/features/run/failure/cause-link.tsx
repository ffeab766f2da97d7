import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.tsx";
import { CopyIcon } from "../../../ui/icon.tsx";
import { showToast } from "../../../ui/messages.ts";
import { FILTER_LABELS } from "../model/filter.ts";
import type { RunHead } from "../../records/run-head.ts";
import type { FailureActions } from "./actions.ts";

/** Leads to where the cause is seen: steps, executions, questions, or the operator's log. */
export function CauseLink({ head, failure }: { readonly head: RunHead; readonly failure: FailureActions }) {
  const { slug } = useWorkspace();
  const { show } = failure.remedy;
  switch (show) {
    case "executions":
      return (
        <Button size="small" onClick={failure.onShowDetails}>
          Show executions
        </Button>
      );
    case "slowest":
    case "last":
    case "question":
      return head.details === "purged" ? null : (
        <Button size="small" onClick={() => failure.onFilter(show)}>
          Show {FILTER_LABELS[show].toLowerCase()}
        </Button>
      );
    case "expired":
      return (
        <Link
          to="/w/$workspace/questions"
          params={{ workspace: slug }}
          search={{ state: "expired", agent: head.agent?.id, team: head.team?.id }}
          className={buttonClass({ size: "small" })}
        >
          Show expired questions
        </Link>
      );
    case "log":
      return <OperatorsLog head={head} />;
    case undefined:
      return null;
  }
}

function OperatorsLog({ head: { links, log_id: id } }: { readonly head: RunHead }) {
  return (
    <>
      {links.log !== null && (
        <a href={links.log} target="_blank" rel="noopener noreferrer" className={buttonClass({ size: "small" })}>
          Open the log
        </a>
      )}
      <Button size="small" icon={CopyIcon} onClick={() => void copyId(id)}>
        Copy id in the log
      </Button>
    </>
  );
}

async function copyId(id: string): Promise<void> {
  if (await copyText(id)) showToast("Copied.");
}
