import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../../api/use-session.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { ForkIcon } from "../../../ui/icons.ts";
import type { RunHead } from "../../records/run-head.ts";
import type { FailureActions } from "./actions.ts";

/** What has to be done about a failure before a retry can succeed; nothing where a retry is the first thing to do. */
export function FirstButton({ head, failure }: { readonly head: RunHead; readonly failure: FailureActions }) {
  const { remedy, rejectedBy, agentId, onFork, onShowDetails } = failure;
  const { slug: workspace } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  switch (remedy.first) {
    case "retry":
      return null;
    case "fork":
      return onFork === undefined ? null : (
        <Button look="primary" icon={ForkIcon} blockedBy={blockedBy} title="Fork from here (f)" onClick={onFork}>
          Fork from here
        </Button>
      );
    case "budget":
      return (
        <Button look="primary" onClick={onShowDetails}>
          Raise the budget
        </Button>
      );
    case "add-key":
      return <Away words="Add a key" needed="admin" link={{ to: `${W}/settings/models`, params: { workspace } }} />;
    case "replace-key": {
      const search = { provider: rejectedBy };
      return (
        <Away
          words="Replace the key"
          needed="admin"
          link={{ to: `${W}/settings/models`, params: { workspace }, search }}
        />
      );
    }
    case "files":
      return <Away words="Show files" needed="viewer" link={{ to: `${W}/files`, params: { workspace } }} />;
    case "agent":
      return agentId === undefined ? null : (
        <Away words="Edit agent" needed="member" link={{ to: `${W}/agents/$id`, params: { workspace, id: agentId } }} />
      );
    case "team":
      return head.team === null ? null : (
        <Away
          words="Edit team"
          needed="member"
          link={{ to: `${W}/teams/$id`, params: { workspace, id: head.team.id } }}
        />
      );
  }
}

const W = "/w/$workspace";

/** Leads to the screen where the cause is removed. */
function Away({
  words,
  needed,
  link,
}: {
  readonly words: string;
  readonly needed: Parameters<typeof useBlockedBy>[0];
  readonly link: LinkProps;
}) {
  const blockedBy = useBlockedBy(needed);
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" blockedBy={blockedBy}>
        {words}
      </Button>
    );
  }
  return (
    <Link {...link} className={`${buttonClass({ look: "primary" })} print:hidden`}>
      {words}
    </Link>
  );
}
