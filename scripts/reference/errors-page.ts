import { ERROR_STATUS } from "../../src/domain/errors.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { RUN_ERROR_CODES } from "../../src/domain/streams/stream-event.ts";
import type { RunErrorCode } from "../../src/domain/streams/stream-event.ts";
import { EXIT } from "../../src/cli/errors/exit-codes.ts";

/** What a code means, and what to do about it. */
const REQUEST_ERRORS: Readonly<Record<ErrorCode, readonly [string, string]>> = {
  bad_request: ["The body, a query parameter or an id is wrong.", "`details` names each field and what is allowed."],
  unauthorized: [
    "The key or token is missing, unknown, expired, revoked or of another kind.",
    "Check `MUSTER_API_KEY`; `muster whoami` shows whose key it is.",
  ],
  forbidden: ["The key lacks the scope, or its owner the role.", "Use a key with write scope, or ask an admin."],
  quota_exceeded: ["The workspace's plan allows no more.", "Delete something, or ask the operator for another plan."],
  not_found: ["No such thing in this workspace.", "Check the id and the workspace of the key."],
  method_not_allowed: ["The path has no such method.", "`Allow` lists those that it has."],
  conflict: [
    "The state does not allow the change, or an `Idempotency-Key` was used for another request.",
    "Read again; the message names the states.",
  ],
  gone: ["It existed and was deleted or has expired.", "Ask for a fresh link."],
  payload_too_large: [
    "The body or file is longer than allowed.",
    "Send less, or raise `MAX_BODY_BYTES` or `MAX_FILE_BYTES`.",
  ],
  unsupported_media_type: ["The file or body is of a type that is not taken.", "The message lists the types."],
  rate_limit_exceeded: ["Too many requests or open streams.", "Wait for `Retry-After` seconds."],
  internal_error: ["An internal error.", "The server's log has the details under the `X-Request-Id`."],
  unavailable: [
    "The service is starting or stopping, or its database or file store does not respond.",
    "Try again after `Retry-After` seconds.",
  ],
  storage_full: ["The disk or the database is full.", "Free space; nothing is lost."],
};

const RUN_ERRORS: Readonly<Record<RunErrorCode, readonly [string, string]>> = {
  MODEL_ERROR: [
    "The provider rejected the call or failed, and so did the fallback model.",
    "Read the provider's own message in the run.",
  ],
  MODEL_REFUSED: [
    "The model refused to answer, or its provider filtered the answer, and there was no text.",
    "Read the provider's reason in the run; change the prompt, or use another model.",
  ],
  REPLY_CUT: [
    "The answer reached its maximum length before any text, or twice in the middle of a tool call.",
    "Raise the agent's `max_tokens`, or lower its reasoning effort.",
  ],
  OUTPUT_INVALID: [
    "The agent has an output schema, and its result did not satisfy it, nor did the one that the model gave to correct it.",
    "The message names the paths. Simplify the schema, or explain it in the prompt.",
  ],
  PROVIDER_NOT_CONFIGURED: [
    "A key or a base URL is missing.",
    "The message says which, and where to put it: [models](../models.md#keys).",
  ],
  STEP_LIMIT: ["The agent wanted more than `MAX_STEPS` model calls.", "Make the task smaller, or raise the limit."],
  TOOL_LOOP: [
    "The agent repeated the same tool call more than `MAX_REPEATS` times.",
    "Improve the prompt or the tool's answer.",
  ],
  DIVERGED: [
    "A case of a golden run called a tool, or had to ask something, that its record does not answer. Nothing was called.",
    "Compare the calls; keep a newer run as the case: [golden runs](../golden-runs.md).",
  ],
  TASK_TIMEOUT: ["The task took longer than `TASK_TIMEOUT` seconds.", "Make the task smaller, or raise the limit."],
  RUN_TIMEOUT: ["The team run took longer than `RUN_TIMEOUT` seconds.", "Make the work smaller, or raise the limit."],
  CANCELLED: ["A person or a program cancelled or deleted it.", "Retry it if that was wrong."],
  INTERACTION_TIMEOUT: [
    "No answer to the agent's question came in time.",
    "Retry it and answer, or give the question a longer `timeoutMs`.",
  ],
  FILE_UNAVAILABLE: [
    "The content of an attached file could not be read.",
    "Machines that share a database must share `files/` or a bucket: [files](../files.md#where-they-are-kept).",
  ],
  TEAM_NOT_RUNNABLE: ["The team has no config, or names a deleted agent.", "Complete the team's config, and retry."],
  HANDOFF_REFUSED: [
    "A person did not approve the next step of a pipeline.",
    "Fork the run from the step, with changes.",
  ],
  BUDGET_EXCEEDED: [
    "A budget does not allow the next model call.",
    "Raise the budget, and retry: [budgets](../budgets.md).",
  ],
  CRASH_LOOP: ["The process died several times in the same step.", "See [durability](../durability.md#crash_loop)."],
  INTERNAL_ERROR: ["An internal error.", "The server's log has the details under the id of the task or run."],
};

const EXIT_CODES: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "Done.",
  failed: "The watched task failed or was cancelled, or the service rejected the request.",
  usage: "Wrong usage: an unknown command, a missing or wrong option.",
  differs: "`muster diff`: the folder and the workspace differ.",
  unreachable: "The service cannot be reached, or what responds is not Muster.",
  unauthorized: "A key is missing or unknown, or may not do this.",
  pending: "`muster migrate --dry-run`: the schema would change.",
  interrupted: "Ctrl-C while watching; the task is still running.",
};

/** The page of all error codes, as Markdown, from the registries of the service. */
export function errorsPage(): string {
  const lines = [
    "# Errors",
    "",
    "<!-- Generated by `npm run gen` from src/domain/errors.ts, src/domain/streams/stream-event.ts and src/cli/errors. -->",
    "",
    "Every code, what it means and what to do. Messages of the log are in [troubleshooting](../troubleshooting.md).",
    "",
    "## Responses",
    "",
    "`error.code` of a response with an error status, and that status.",
    "",
    ...Object.entries(REQUEST_ERRORS).map(([code, texts]) => entryOf(`\`${code}\` (${statusOf(code)})`, texts)),
    "",
    "## Runs",
    "",
    "`code` of `RUN_ERROR` in a [stream](../streaming.md#events), and `error_code` of a run.",
    "",
    ...RUN_ERROR_CODES.map((code) => entryOf(`\`${code}\``, RUN_ERRORS[code])),
    "",
    "## Exit codes of `muster`",
    "",
    ...Object.entries(EXIT).map(
      ([name, code]) => `- \`${code}\`: ${Object.entries(EXIT_CODES).find(([one]) => one === name)?.[1]}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function statusOf(code: string): number | undefined {
  return Object.entries(ERROR_STATUS).find(([one]) => one === code)?.[1];
}

function entryOf(head: string, [meaning, remedy]: readonly [string, string]): string {
  return `- ${head}: ${meaning} ${remedy}`;
}
