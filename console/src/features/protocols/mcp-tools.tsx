import { useState } from "react";
import { testMcpServerTool } from "#client/gen/operations/mcp-servers.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { jsonObject } from "../../forms/json-object.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { FormError } from "../../ui/field.tsx";
import { DraftedJsonField } from "../../ui/json-field.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { useMcpTools } from "./queries.ts";
import type { McpServer, McpTool } from "./records.ts";
import { TestResult } from "../../ui/test-result.tsx";
import type { TestOutcome } from "../../ui/test-result.tsx";

/** The tools of a server, as they were listed last; each can be called once, for real. */
export function McpTools({ server: { id, oauth } }: { readonly server: McpServer }) {
  return (
    <QueryPart query={useMcpTools(id)}>
      {(tools) => (
        <section aria-labelledby="tools">
          <h3 id="tools" className="pb-1 text-h3 font-semibold">
            {oauth?.account === "person" ? "Tools of your account" : "Tools"}
          </h3>
          {tools.map((tool) => (
            <Tool key={tool.name} serverId={id} tool={tool} />
          ))}
        </section>
      )}
    </QueryPart>
  );
}

function Tool({ serverId, tool }: { readonly serverId: string; readonly tool: McpTool }) {
  const { name, description, issue, agents_list_it_as: listedAs, input_schema: schema } = tool;
  return (
    <details className="border-b border-line py-2">
      <summary className="font-medium">
        <span className="font-mono text-mono">{name}</span>
        {issue !== null && <span className="text-failed"> · not usable</span>}
      </summary>
      <div className="flex flex-col gap-3 pt-2">
        {description !== "" && <Bdi className="block text-ink-2">{description}</Bdi>}
        {issue !== null && <FormError>{issue}</FormError>}
        <p className="text-ink-2">
          Agents list it as <span className="font-mono text-mono">{listedAs}</span>
        </p>
        <CodeBlock title="Input schema" text={JSON.stringify(schema)} />
        {issue === null && <ToolTest serverId={serverId} tool={name} />}
      </div>
    </details>
  );
}

function ToolTest({ serverId, tool }: { readonly serverId: string; readonly tool: string }) {
  const [outcome, setOutcome] = useState<TestOutcome>();
  const blockedBy = useBlockedBy("member");
  async function test(values: FormData): Promise<void> {
    const body = { tool, arguments: jsonObject(textIn(values, "arguments"), "arguments") };
    setOutcome(await call(testMcpServerTool)({ id: serverId }, body));
  }
  return (
    <RecordForm
      draft={`mcp-test.${serverId}.${tool}`}
      keepsDraft
      save={test}
      className="flex flex-col gap-3"
      actions={
        <>
          <SubmitButton size="small" className="self-start" blockedBy={blockedBy} look="plain">
            Test tool
          </SubmitButton>
          {outcome !== undefined && <TestResult outcome={outcome} />}
        </>
      }
    >
      <DraftedJsonField
        label="Arguments"
        aside="JSON"
        help="The tool is called for real."
        name="arguments"
        initial="{}"
        rows={2}
      />
    </RecordForm>
  );
}
