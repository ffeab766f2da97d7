import { expect } from "vitest";
import { consoleOf } from "./api.ts";
import { openApprovals } from "./approvals.ts";
import type { Person } from "./approvals.ts";
import { questionOf } from "./interactions.ts";
import { openWorkspaceIn } from "./shared-service.ts";
import type { TestService } from "./service.ts";
import { ofType } from "./valid-stream.ts";
import { taskIn } from "./work.ts";

/** The people who vote, as many as one rule may need. */
const PEOPLE = 50;

/**
 * Has 50 people vote on questions that need all of them, each twice at the same time: in one process and in the other.
 * Expects that each vote counts once, and that the call is made once.
 */
export async function expectSingleVotes(
  [first, second]: readonly [TestService, TestService],
  questions: number,
): Promise<void> {
  const scene = await openApprovals(await openWorkspaceIn(first));
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => scene.join(`Person ${n}`, "admin")));
  const agent = await scene.agentWith([{ need: PEOPLE }]);
  for (let round = 0; round < questions; round += 1) {
    const taskId = await scene.start(agent.id);
    const { reader, interactionId } = await questionOf(scene.service, { agentId: agent.id, taskId });
    const statuses = await Promise.all(
      people.map(async (person) => {
        const votes = [first, second].map((service) => voteOn(service, person, { taskId, interactionId }));
        return (await Promise.all(votes)).map(({ status }) => status).toSorted((a, b) => a - b);
      }),
    );
    expect(statuses).toEqual(people.map(() => [200, 409]));
    await taskIn(scene.api, taskId, "completed");
    const [closed] = await scene.questions(taskId, "answered");
    expect(new Set(closed?.votes.map(({ by }) => by.id))).toEqual(new Set(people.map(({ id }) => id)));
    expect(closed?.votes).toHaveLength(PEOPLE);
    await reader.over;
    expect(ofType(reader.events, "TOOL_CALL_END")).toHaveLength(1);
    expect(ofType(reader.events, "INTERACTION_RESPONSE")).toHaveLength(1);
  }
}

/** A person's approval in one of the processes. */
export function voteOn(
  service: TestService,
  { key }: Person,
  { taskId, interactionId }: { readonly taskId: string; readonly interactionId: string },
) {
  return consoleOf(service, key).post(`/tasks/${taskId}/answer`, { interactionId, approved: true });
}
