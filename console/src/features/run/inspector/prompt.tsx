import { bytes, plural } from "../../../lib/format.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { CopyButton } from "../../../ui/copy.tsx";
import type { StepDetail } from "../../records/run-head.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { PromptActions } from "./prompt-actions.tsx";

type Request = NonNullable<StepDetail["request"]>;
type Message = Request["messages"][number];

const ROLES: Readonly<Record<Message["role"], string>> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
};

/** Exactly what the model was sent. What an earlier call of the turn has not sent yet is marked as new. */
export function Prompt({
  detail,
  request,
  agentId,
}: {
  readonly detail: StepDetail;
  readonly request: Request;
  readonly agentId: string | undefined;
}) {
  const { message_tokens: estimates, ...sent } = request;
  const { messages, kept, tools, parameters } = sent;
  const used = detail.reply?.usage.promptTokens ?? detail.prompt_tokens;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-2 text-small text-ink-3">
        <span>
          {kept > 0
            ? `${messages.length - kept} of ${messages.length} messages are new in this call`
            : plural(messages.length, "message")}
          {used !== undefined && used > 0 && `, ${plural(used, "token")} in all`}. Tokens of a message are estimated
          from its size.
        </span>
        <CopyButton text={JSON.stringify(sent, null, 2)} label="Copy prompt" />
      </div>
      <PromptActions detail={detail} request={request} agentId={agentId} />
      <ol className="flex flex-col gap-3">
        {messages.map((message, index) => (
          <li key={index}>
            <MessageView
              message={message}
              isNew={kept > 0 && index >= kept}
              isKept={index < kept}
              tokens={estimates[index]}
            />
          </li>
        ))}
      </ol>
      <CodeBlock title="Parameters" text={JSON.stringify(parameters)} />
      {tools.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="text-h3 font-semibold">Tools</h3>
          {tools.map((tool) => (
            <details key={tool.name} className="box">
              <summary className="flex min-h-9 flex-wrap items-baseline gap-x-2 px-3 py-2 hover:bg-surface">
                <span className="font-mono text-mono">{tool.name}</span>
                <span dir="auto" className="line-clamp-1 text-small text-ink-3">
                  {visibleText(tool.description)}
                </span>
              </summary>
              <div className="flex flex-col gap-2 border-t border-line p-3">
                <p dir="auto">{visibleText(tool.description)}</p>
                <CodeBlock title="Arguments" text={JSON.stringify(tool.inputSchema)} />
              </div>
            </details>
          ))}
        </section>
      )}
    </div>
  );
}

function MessageView({
  message,
  isNew,
  isKept,
  tokens,
}: {
  readonly message: Message;
  /** An estimate. */
  readonly tokens: number | undefined;
  readonly isNew: boolean;
  readonly isKept: boolean;
}) {
  const text = message.role === "tool" ? message.output : message.content;
  const calls = message.role === "assistant" ? message.toolCalls : [];
  const sent = [text, ...calls.map((call) => call.arguments)].filter(Boolean).join("\n");
  return (
    <article className={`border-s-2 ps-3 ${isNew ? "border-accent" : "border-line"}`}>
      <header className="flex flex-wrap items-center gap-x-2">
        <h3 className={`text-small font-medium ${isKept ? "text-ink-3" : "text-ink-2"}`}>{ROLES[message.role]}</h3>
        {message.role === "tool" && <span className="font-mono text-small text-ink-3">{message.toolName}</span>}
        {message.role === "tool" && message.isError && <span className="text-small text-failed">error</span>}
        {isNew && <span className="rounded-full bg-accent-soft px-1.5 text-caption font-medium text-accent">new</span>}
        <span className="ms-auto text-caption whitespace-nowrap text-ink-3">
          {tokens !== undefined && `≈ ${plural(tokens, "token")}, `}
          {bytes(new TextEncoder().encode(sent).length)}
        </span>
        <CopyButton text={sent} label="Copy message" />
      </header>
      {text !== "" && (
        <pre dir="auto" className="font-mono text-mono whitespace-pre-wrap">
          {visibleText(text)}
        </pre>
      )}
      {message.role === "user" &&
        message.images?.map(({ name, mediaType, bytes: size }) => (
          <p key={name} className="text-small text-ink-3">
            Picture {visibleText(name)}, {mediaType}, {bytes(size)}
          </p>
        ))}
      {calls.map((call) => (
        <CodeBlock key={call.id} title={`Calls ${call.name}`} text={call.arguments} />
      ))}
    </article>
  );
}
