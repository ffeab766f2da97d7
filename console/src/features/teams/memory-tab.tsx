import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { useAction } from "../../ui/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { RemoveButton } from "../../ui/removal.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { Empty } from "../../ui/states.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { booleanAt, fieldsAt } from "./config/fields.ts";
import { useMemories, useTeamActions } from "./queries.ts";
import type { Team, TeamMemory } from "./queries.ts";

/** What a team remembers of its runs; each memory can be deleted. */
export function MemoryTab({ team }: { readonly team: Team }) {
  const memories = useMemories(team.id);
  const { deleteMemories } = useTeamActions();
  const blockedBy = useBlockedBy("member");
  const isOn = booleanAt(fieldsAt(team.config, "memory"), "enabled", false);
  return (
    <PagedList pages={memories} empty={<NoMemories isOn={isOn} />}>
      {(rows) => (
        <>
          <div className="flex items-center justify-between gap-2 border-b border-line px-page py-2">
            <p className="text-ink-2">
              {isOn
                ? "A run gets the memories that fit its task best."
                : "Memory is off: these are kept, but runs do not get them."}
            </p>
            <RemoveButton
              size="small"
              blockedBy={blockedBy}
              removal={{
                title: `Delete all memories of "${team.name}"?`,
                action: "Delete memories",
                effect: "The team starts without any. Its runs and their results stay.",
                remove: () => deleteMemories(team.id),
              }}
            >
              Delete all
            </RemoveButton>
          </div>
          <ul aria-label="Memories">
            {rows.map((memory) => (
              <Memory key={memory.id} memory={memory} />
            ))}
          </ul>
        </>
      )}
    </PagedList>
  );
}

function Memory({ memory }: { readonly memory: TeamMemory }) {
  const { slug } = useWorkspace();
  const { deleteMemories } = useTeamActions();
  const blockedBy = useBlockedBy("member");
  const { id, team_id: teamId, run_id: run, task, outcome, status, created_at: at } = memory;
  const { act, isBusy } = useAction(() => deleteMemories(teamId, id));
  return (
    <li className="flex items-start gap-3 border-b border-line px-page py-3">
      <span className="mt-0.5">
        <StateIcon state={status} />
      </span>
      <span className="min-w-0 flex-1">
        <Link
          to="/w/$workspace/runs/$id"
          params={{ workspace: slug, id: run }}
          dir="auto"
          className="line-clamp-1 font-medium hover:underline"
        >
          {task}
        </Link>
        <span dir="auto" className="line-clamp-3 block max-w-[72ch] text-ink-2">
          {outcome}
        </span>
        <span className="text-small text-ink-3">
          <Time at={at} />
        </span>
      </span>
      <Button look="quiet" size="small" blockedBy={blockedBy} isBusy={isBusy} onClick={act}>
        Delete
      </Button>
    </li>
  );
}

function NoMemories({ isOn }: { readonly isOn: boolean }) {
  return (
    <Empty title="No memories">
      {isOn
        ? "Each run is remembered here when it ends. Later runs get the memories that fit."
        : "Memory is off. Switch it on in the config, and later runs get memories of earlier ones."}
    </Empty>
  );
}
