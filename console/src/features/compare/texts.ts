import type { StepDetail } from "../records/run-head.ts";

/** What a model was sent, as one text: its messages, each under its role, its parameters and tools. */
export function promptText({ request }: StepDetail): string {
  if (request === null) return "";
  const messages = request.messages.map((message) => {
    const text = message.role === "tool" ? message.output : message.content;
    const calls =
      message.role === "assistant" ? message.toolCalls.map(({ name, arguments: given }) => `${name} ${given}`) : [];
    return [`[${message.role}]`, ...(text === "" ? [] : [text]), ...calls].join("\n");
  });
  const tools = request.tools.map(({ name }) => name).join(", ");
  return [
    ...messages,
    `[parameters]\n${JSON.stringify(request.parameters, null, 2)}`,
    ...(tools === "" ? [] : [`[tools]\n${tools}`]),
  ].join("\n\n");
}

/** The result of a step as one text: reply, calls, tool result, answer or error. */
export function outputText({ reply, result, arguments: given, answer, error }: StepDetail): string {
  return [
    ...(given === null ? [] : [`[arguments]\n${given}`]),
    ...(reply === null || reply.text === "" ? [] : [reply.text]),
    ...(reply?.tool_calls.map((call) => `[calls ${call.name}]\n${call.arguments}`) ?? []),
    ...(result === null ? [] : [result]),
    ...(answer === null ? [] : [JSON.stringify(answer, null, 2)]),
    ...(error === null || error === result ? [] : [`[error]\n${error}`]),
  ].join("\n\n");
}
