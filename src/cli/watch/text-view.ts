import { oneLine, safeText } from "../terminal/safe-text.ts";
import { formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";
import { createActivity } from "./activity.ts";
import type { AnswerPrompt } from "./answer-in-place.ts";
import type { Schemas, StreamEvent } from "#client/index.ts";
import { pauseNote } from "./pause-note.ts";
import type { View } from "./watch-to-end.ts";

const RESULT_SHOWN = 100;
const ARGUMENTS_SHOWN = 60;
const THOUGHT_SHOWN = 100;

interface ToolCall {
  readonly name: string;
  readonly begun: number;
  arguments: string;
}

/** Creates a view of a task for people: the text on standard output, tools and states on standard error. */
export function createTextView(out: Output, prompt: AnswerPrompt): View {
  const tools = createToolNotes(out);
  const thoughts = createThoughtNotes(out);
  const activity = createActivity(out);
  activity.set("queued");
  /** The current message; undefined at the start and after a tool call. */
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

  function showPause(event: StreamEvent): void {
    const note = pauseNote(event);
    if (note === undefined) return;
    out.note(note, "yellow");
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
      case "REASONING_MESSAGE_START":
        thoughts.begin(event);
        return activity.set("thinking");
      case "REASONING_MESSAGE_CONTENT":
        return thoughts.add(event);
      case "REASONING_MESSAGE_END":
        return thoughts.end(event);
      case "TOOL_CALL_START":
        message = undefined;
        tools.begin(event);
        return activity.set(`running ${safeText(event.toolCallName)}`);
      case "TOOL_CALL_ARGS":
        return tools.addArguments(event);
      case "TOOL_CALL_END":
        tools.end(event);
        return activity.set("thinking");
      case "CUSTOM":
        return showPause(event);
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

/** Prints each tool call at its start, and at its end with its arguments, duration and result. */
function createToolNotes(out: Output) {
  const calls = new Map<string, ToolCall>();
  return {
    begin({ toolCallId, toolCallName }: Schemas["ToolCallStartEvent"]): void {
      const name = safeText(toolCallName);
      calls.set(toolCallId, { name, begun: performance.now(), arguments: "" });
      out.note(`→ ${name}`, "dim");
    },
    addArguments({ toolCallId, delta }: Schemas["ToolCallArgsEvent"]): void {
      const call = calls.get(toolCallId);
      if (call !== undefined) call.arguments += delta;
    },
    end({ toolCallId, result, isError }: Schemas["ToolCallEndEvent"]): void {
      const call = calls.get(toolCallId) ?? { name: "tool", begun: performance.now(), arguments: "" };
      const shown = `${call.name} ${oneLine(call.arguments, ARGUMENTS_SHOWN)}`.trimEnd();
      const took = formatDuration(performance.now() - call.begun);
      const outcome = oneLine(result ?? "", RESULT_SHOWN);
      out.note(`${isError ? "✗" : "✓"} ${shown} (${took}): ${outcome}`, isError ? "red" : "dim");
    },
  };
}

/** Prints what the model has thought, folded to one line. */
function createThoughtNotes(out: Output) {
  const thoughts = new Map<string, string>();
  return {
    begin({ messageId }: Schemas["ReasoningMessageStartEvent"]): void {
      thoughts.set(messageId, "");
    },
    add({ messageId, delta }: Schemas["ReasoningMessageContentEvent"]): void {
      thoughts.set(messageId, (thoughts.get(messageId) ?? "") + delta);
    },
    end({ messageId }: Schemas["ReasoningMessageEndEvent"]): void {
      out.note(`∴ Thinking: ${oneLine(thoughts.get(messageId) ?? "", THOUGHT_SHOWN)}`, "dim");
      thoughts.delete(messageId);
    },
  };
}
