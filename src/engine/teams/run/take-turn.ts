import type { AttachedFile } from "#domain/files/attachments.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { runAgent } from "../../agent/agent-loop.ts";
import { answerKey } from "../../run/ask-person.ts";
import type { Execution } from "../../run/execution.ts";
import type { OwnedJob } from "../../queue/lease.ts";
import { Paused } from "../../run/paused.ts";
import type { EngineServices, Run, UntimedEvent } from "../../run/run-context.ts";
import { RunFailure } from "../../run/run-failure.ts";
import type { StepResult } from "../../run/step-journal.ts";
import type { TurnRequest } from "./team-run-context.ts";
import type { TurnAnswer } from "../../agent/turn-answer.ts";

/** The run of a turn. */
export interface TurnSetting {
  readonly job: TeamRunJob;
  readonly key: OwnedJob;
  readonly signal: AbortSignal;
  readonly execution: Execution;
  /** The run's attachments; every turn gets them. */
  readonly files: readonly AttachedFile[];
}

/** Runs an agent's turn in a team run; see TeamRun.turn for results and errors. */
export async function takeTurn(
  engine: EngineServices,
  setting: TurnSetting,
  request: TurnRequest,
): Promise<TurnAnswer> {
  const run = runOfTurn(setting, request);
  const { stepName } = request;
  await run.emit({ type: "STEP_STARTED", stepName }, "started");
  const answer = await runAgent(engine, run).catch(async (error: unknown) => {
    // The run may continue without the turn; then its step is over as well.
    const code = codeOf(error, request);
    if (code !== undefined && !setting.signal.aborted) {
      await run.emit({ type: "STEP_FINISHED", stepName, code }, "finished");
    }
    throw error;
  });
  if ("question" in answer) {
    const { question, toolCallId } = answer;
    throw new Paused({
      question,
      toolCallId: `${request.key}/${toolCallId}`,
      answerKey: `${request.key}/${answerKey(answer)}`,
    });
  }
  const { text, finish, model, answeredAt, tokensUsed, spent, messageId } = answer;
  if (messageId !== undefined) await run.emit({ type: "TEXT_MESSAGE_END", messageId }, `message:${messageId}:end`);
  await run.emit({ type: "STEP_FINISHED", stepName, ...spent }, "finished");
  return { text, finish, model, answeredAt, tokensUsed };
}

/** Why a turn has ended without a result; undefined when its execution has ended as well. */
function codeOf(error: unknown, { signal }: TurnRequest): RunErrorCode | undefined {
  if (error instanceof RunFailure) return error.code;
  return signal?.aborted === true ? "CANCELLED" : undefined;
}

/** Models number their calls per turn; the run's log needs unique ids. One agent may take several turns at once. */
function inTurn({ key, stepName, agent }: TurnRequest, event: UntimedEvent): UntimedEvent {
  const agentId = agent.id;
  if (event.type === "TEXT_MESSAGE_START" || event.type === "REASONING_MESSAGE_START")
    return { ...event, stepName, agentId };
  return "toolCallId" in event
    ? { ...event, toolCallId: `${key}/${event.toolCallId}`, agentId }
    : { ...event, agentId };
}

/** The first call of a turn carries the turn's name and agent. */
function withTurn<T>({ stepName, agent }: TurnRequest, name: string, result: StepResult<T>): StepResult<T> {
  if (name !== "model:0") return result;
  const turn = { label: stepName, agentId: agent.id };
  return { ...result, record: { ...result.record, facts: { ...result.record?.facts, turn } } };
}

/** A turn is a run of the agent; its step and event keys have the turn's key as prefix. */
function runOfTurn({ job, key, signal, execution, files }: TurnSetting, request: TurnRequest): Run {
  const { agent, conversation, maxSteps, beforeCall } = request;
  const prefix = (name: string) => `${request.key}/${name}`;
  return {
    job: {
      workspaceId: job.workspaceId,
      attempt: job.attempt,
      title: job.team.name,
      description: job.inputTask,
      conversation,
      agent,
      trace: job.trace ?? null,
    },
    key,
    turnKey: request.key,
    files,
    tools: request.tools ?? [],
    ...(maxSteps !== undefined && { maxSteps }),
    ...(beforeCall !== undefined && { beforeCall }),
    chargedTo: { task_id: job.taskId, team_run_id: job.runId, team_id: job.team.id },
    signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]),
    backlog: execution.backlog,
    emit: (event, name) =>
      execution.emit(
        typeof event === "function" ? () => inTurn(request, event()) : inTurn(request, event),
        name && prefix(name),
      ),
    step: (name, schema, body) =>
      execution.step(prefix(name), schema, async (lostFence) => withTurn(request, name, await body(lostFence))),
    recall: (name, schema) => execution.recall(prefix(name), schema),
    answerTo: (name) => execution.answerTo(prefix(name)),
  };
}
