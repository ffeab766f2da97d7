import { oneLine, safeText } from "../terminal/safe-text.ts";
import { formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";
import { createActivity } from "./activity.ts";
import type { AnswerPrompt } from "./answer-in-place.ts";
import type { Schemas, StreamEvent } from "#client/index.ts";
import type { View } from "./watch-to-end.ts";

const RESULT_SHOWN = 100;
const ARGUMENTS_SHOWN = 60;

interface ToolCall {
  readonly name: string;
  readonly begun: number;
  arguments: string;
}

/** A view of a task for people: the text on standard output, tools and states on standard error. */
export function createTextView(out: Output, prompt: AnswerPrompt): View {
  const tools = new Map<string, ToolCall>();
  const activity = createActivity(out);
  activity.set("queued");
  /** The last message; undefined when a tool call or nothing came before. */
  let message: string | undefined;

  function beginMessage(): void {
    // A message directly after another one replaces it: its model call was interrupted and repeated.
    if (message !== undefined) out.note("Lost the model's reply; starting over.", "yellow");
    message = "";
  }

  function addText(delta: string): void {
    message = (message ?? "") + delta;
    activity.set(undefined);
    out.text(delta);
  }

  function beginTool({ toolCallId, toolCallName }: Schemas["ToolCallStartEvent"]): void {
    message = undefined;
    tools.set(toolCallId, { name: safeText(toolCallName), begun: performance.now(), arguments: "" });
    out.note(`→ ${safeText(toolCallName)}`, "dim");
    activity.set(`running ${safeText(toolCallName)}`);
  }

  function addArguments({ toolCallId, delta }: Schemas["ToolCallArgsEvent"]): void {
    const tool = tools.get(toolCallId);
    if (tool !== undefined) tool.arguments += delta;
  }

  function endTool({ toolCallId, result, isError }: Schemas["ToolCallEndEvent"]): void {
    const tool = tools.get(toolCallId) ?? { name: "tool", begun: performance.now(), arguments: "" };
    const call = `${tool.name} ${oneLine(tool.arguments, ARGUMENTS_SHOWN)}`.trimEnd();
    const took = formatDuration(performance.now() - tool.begun);
    const outcome = oneLine(result ?? "", RESULT_SHOWN);
    out.note(`${isError ? "✗" : "✓"} ${call} (${took}): ${outcome}`, isError ? "red" : "dim");
    activity.set("thinking");
  }

  function finish(result: string): void {
    out.endLine();
    // An output template or a client without the stream: the text above is not the result.
    if (result !== "" && result.trimEnd() !== message?.trimEnd()) addText(result);
    out.endLine();
  }

  function show(event: StreamEvent): void {
    switch (event.type) {
      case "RUN_STARTED":
        return activity.set("thinking");
      case "TEXT_MESSAGE_START":
        return beginMessage();
      case "TEXT_MESSAGE_CONTENT":
        return addText(event.delta);
      case "TEXT_MESSAGE_END":
        return out.endLine();
      case "TOOL_CALL_START":
        return beginTool(event);
      case "TOOL_CALL_ARGS":
        return addArguments(event);
      case "TOOL_CALL_END":
        return endTool(event);
      case "INTERACTION_REQUEST":
        return activity.set(undefined);
      case "INTERACTION_TIMEOUT":
        return out.note("The question was not answered in time.", "yellow");
      case "INTERACTION_RESPONSE":
        out.note("The question was answered.", "dim");
        return activity.set("thinking");
      case "RUN_FINISHED":
        activity.close();
        return finish(event.result ?? "");
      case "RUN_ERROR":
        activity.close();
        out.endLine();
        return out.note(safeText(event.message), "red");
      default:
        return undefined;
    }
  }

  return {
    show(event) {
      show(event);
      prompt.take(event);
    },
    close() {
      activity.close();
      prompt.close();
    },
  };
}
