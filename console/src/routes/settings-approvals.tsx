import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getWorkspaceApprovals, saveWorkspaceApprovals } from "#client/gen/operations/workspaces.ts";
import { call } from "../api/client.ts";
import { Problem } from "../api/problem.ts";
import { useBlockedBy } from "../api/use-session.ts";
import RuleDialog from "../features/agents/form/rule-dialog.tsx";
import RuleList from "../features/agents/form/rule-list.tsx";
import { raised } from "../features/agents/form/rules.ts";
import type { Rule } from "../features/agents/form/rules.ts";
import { useToolChoices } from "../features/agents/form/tool-choices.ts";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { useApiCalls } from "../lib/api-calls.ts";
import { curlLine } from "../lib/curl-line.ts";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.ts";
import { Empty, ErrorState } from "../ui/states.tsx";
import { showFailure } from "../ui/messages.ts";

const PATH = "/console/api/workspace/approvals";
const KEY = ["workspace-approvals"];
const EXAMPLE = { approvals: [{ when: { tool: "http_request" }, ask: { role: "admin" } }] };
/** Where the service names its issues: below the rule's place in the list. */
const PLACE = /^approvals\.\d+\.?/;

/** The rules on approvals for all agents of the workspace. */
export function ApprovalSettings() {
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => call(getWorkspaceApprovals)() });
  const blockedBy = useBlockedBy("admin");
  const [open, setOpen] = useState<number>();
  const save = useSaveRules();
  useApiCalls([
    { title: "Read the rules", method: "GET", path: PATH, command: "approvals get" },
    { title: "Replace the rules", method: "PUT", path: PATH, body: EXAMPLE },
  ]);
  if (data === undefined) return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  const rules = data.approvals;
  const raise = (index: number) => void save({ before: rules, rules: raised(rules, index) }).catch(showFailure);
  return (
    <>
      <TabBar text="Rules on which calls people approve. They come before those of each agent; the first that fits asks.">
        <Button look="primary" icon={PlusIcon} blockedBy={blockedBy} onClick={() => setOpen(rules.length)}>
          Add rule
        </Button>
      </TabBar>
      <div className="max-w-[48rem] px-page pb-6 max-sm:pt-4">
        {rules.length === 0 ? (
          <Empty title="No rules yet" command={curlLine(PATH, EXAMPLE, "PUT")}>
            A rule asks people before a call of a tool is made, such as for large amounts or the first use.
          </Empty>
        ) : (
          <RuleList rules={rules} onOpen={setOpen} onRaise={blockedBy === undefined ? raise : undefined} />
        )}
      </div>
      {open !== undefined && <OpenRule rules={rules} index={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** A new rule or one of the list, which is saved with its dialog. */
function OpenRule({
  rules,
  index,
  onClose,
}: {
  readonly rules: readonly Rule[];
  readonly index: number;
  readonly onClose: () => void;
}) {
  // What was opened: another admin may change the list meanwhile.
  const [before] = useState(rules);
  const save = useSaveRules();
  const blockedBy = useBlockedBy("admin");
  const tools = useToolChoices().flatMap((group) => group.tools);
  const rule = before[index];
  return (
    <RuleDialog
      rule={rule}
      tools={tools}
      action="Save rule"
      blockedBy={blockedBy}
      removal={
        rule && {
          title: `Remove ${rule.name === undefined ? `rule ${index + 1}` : `the rule ${rule.name}`}?`,
          action: "Remove rule",
          effect: "New runs no longer ask by it. Questions that it has asked stay open.",
          remove: () => save({ before, rules: before.toSpliced(index, 1) }),
        }
      }
      onSave={(changed) =>
        save({ before, rules: rule === undefined ? [...before, changed] : before.with(index, changed) })
      }
      onClose={onClose}
    />
  );
}

/** Replaces the rules, unless somebody else has changed them since they were read. @throws Problem */
function useSaveRules() {
  const client = useQueryClient();
  return async ({ before, rules }: { readonly before: readonly Rule[]; readonly rules: readonly Rule[] }) => {
    const now = await call(getWorkspaceApprovals)();
    if (JSON.stringify(now.approvals) !== JSON.stringify(before)) {
      client.setQueryData(KEY, now);
      const message = "Somebody else has changed the rules. Close this, look at them, and change yours again.";
      throw new Problem({ status: 409, code: "conflict", message });
    }
    try {
      client.setQueryData(KEY, await call(saveWorkspaceApprovals)({ approvals: [...rules] }));
    } catch (error) {
      throw error instanceof Problem ? withinRule(error) : error;
    }
  };
}

function withinRule(problem: Problem): Problem {
  const details = problem.details.map(({ path, message }) => ({ path: path.replace(PLACE, ""), message }));
  const { status, code, message, requestId, retryAfterMs } = problem;
  return new Problem({ status, code, message, details, requestId, retryAfterMs });
}
