import type { ApprovalPolicy, ApprovalRule } from "#domain/approvals/policy.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { Transaction } from "#db/database.ts";
import { findNamedChannels, findNamedMembers } from "#db/queries/runs/approvals.ts";
import type { Workspace } from "../workspace.ts";

/** Rules with ids in place of names, and the paths of names that the workspace does not have. */
export interface NamedPolicy {
  readonly policy: ApprovalPolicy;
  readonly unknown: readonly FieldIssue[];
}

/** The ids of what rules name. */
interface Found {
  readonly people: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

type Ask = ApprovalRule["ask"];

/** The rules with the ids of the people and channels that they name; what is unknown is left out. */
export async function nameAsked(
  tx: Transaction,
  { who: { workspaceId } }: Pick<Workspace, "who">,
  policy: ApprovalPolicy,
): Promise<NamedPolicy> {
  const asks = policy.flatMap(asksOf);
  const people = new Set(asks.flatMap(({ ask }) => ask.people ?? []));
  const channels = new Set(asks.flatMap(({ ask }) => ask.channel ?? []));
  const found = {
    people: idsOf(people.size === 0 ? [] : await findNamedMembers(tx, workspaceId, [...people])),
    channels: idsOf(channels.size === 0 ? [] : await findNamedChannels(tx, workspaceId, [...channels])),
  };
  const unknown = policy.flatMap((rule, index) =>
    asksOf(rule).flatMap(({ ask, path }) =>
      unknownIn(ask, found).map((issue) => ({ ...issue, path: `${index}.${path}.${issue.path}` })),
    ),
  );
  return {
    policy: policy.map((rule) => ({
      ...rule,
      ask: knownOf(rule.ask, found),
      after: rule.after.map((step) => ({ ...step, ask: knownOf(step.ask, found) })),
    })),
    unknown,
  };
}

function asksOf({ ask, after }: ApprovalRule): { readonly ask: Ask; readonly path: string }[] {
  return [{ ask, path: "ask" }, ...after.map((step, index) => ({ ask: step.ask, path: `after.${index}.ask` }))];
}

function idsOf(found: readonly { readonly name: string; readonly id: string }[]): ReadonlyMap<string, string> {
  return new Map(found.map(({ name, id }) => [name, id]));
}

function unknownIn({ people = [], channel }: Ask, found: Found): FieldIssue[] {
  const issues = people.flatMap((name, person) => {
    const message = `no member of the workspace who may answer is "${name}"`;
    return found.people.has(name) ? [] : [{ path: `people.${person}`, message }];
  });
  if (channel === undefined || found.channels.has(channel)) return issues;
  const message = `no active route of kind people, or more than one, is "${channel}"`;
  return [...issues, { path: "channel", message }];
}

function knownOf({ people, channel, ...ask }: Ask, found: Found): Ask {
  const id = channel === undefined ? undefined : found.channels.get(channel);
  const ids = people?.flatMap((name) => found.people.get(name) ?? []);
  return { ...ask, ...(ids !== undefined && { people: [...new Set(ids)] }), ...(id !== undefined && { channel: id }) };
}
