import { oneLine, safeText } from "../terminal/safe-text.ts";
import type { Output } from "../terminal/output.ts";
import { describeQuestion, question } from "./question.ts";
import type { WatchEvent } from "./watch-event.ts";
import type { View } from "./watch-to-end.ts";

const RESULT_SHOWN = 100;
const ARGUMENTS_SHOWN = 60;

interface ToolCall {
  readonly name: string;
  arguments: string;
}

/** A view for people: the text on standard output, tools and states on standard error. */
export function createTextView(out: Output): View {
  const tools = new Map<string, ToolCall>();
  /** The last message; undefined when a tool call or nothing came before. */
  let message: string | undefined;

  function beginMessage(): void {
    // A message directly behind another one replaces it: its model call was cut off and made again.
    if (message !== undefined) out.note("Lost the model's reply; starting over.", "yellow");
    message = "";
  }

  function addText(delta: string): void {
    message = (message ?? "") + delta;
    out.text(delta);
  }

  function beginTool({ toolCallId = "", toolCallName = "tool" }: WatchEvent): void {
    message = undefined;
    tools.set(toolCallId, { name: safeText(toolCallName), arguments: "" });
    out.note(`→ ${safeText(toolCallName)}`, "dim");
  }

  function addArguments({ toolCallId = "", delta = "" }: WatchEvent): void {
    const tool = tools.get(toolCallId);
    if (tool !== undefined) tool.arguments += delta;
  }

  function endTool({ toolCallId = "", result }: WatchEvent): void {
    const tool = tools.get(toolCallId) ?? { name: "tool", arguments: "" };
    const call = `${tool.name} ${oneLine(tool.arguments, ARGUMENTS_SHOWN)}`.trimEnd();
    out.note(`✓ ${call}: ${oneLine(result ?? "", RESULT_SHOWN)}`, "dim");
  }

  function ask(event: WatchEvent): void {
    const asked = question.safeParse(event);
    if (!asked.success) return;
    out.endLine();
    const asking = { what: "task", id: event.threadId ?? "" } as const;
    for (const line of describeQuestion(asking, asked.data)) out.note(line, "yellow");
  }

  function finish(result: string): void {
    out.endLine();
    // An output template or a client without the stream: the text above is not the result.
    if (result !== "" && result.trimEnd() !== message?.trimEnd()) addText(result);
    out.endLine();
  }

  return function show(event) {
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        return beginMessage();
      case "TEXT_MESSAGE_CONTENT":
        return addText(event.delta ?? "");
      case "TEXT_MESSAGE_END":
        return out.endLine();
      case "TOOL_CALL_START":
        return beginTool(event);
      case "TOOL_CALL_ARGS":
        return addArguments(event);
      case "TOOL_CALL_END":
        return endTool(event);
      case "INTERACTION_REQUEST":
        return ask(event);
      case "INTERACTION_RESPONSE":
        return out.note("The question was answered.", "dim");
      case "TASK_STATUS":
        return out.note(`… ${event.status ?? ""}`, "dim");
      case "RUN_FINISHED":
        return finish(event.result ?? "");
      case "RUN_ERROR":
        out.endLine();
        return out.note(safeText(event.message ?? "The task failed."), "red");
      default:
        return undefined;
    }
  };
}
