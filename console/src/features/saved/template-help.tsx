const VARIABLES = ["task_result", "task_title", "agent_name", "timestamp", "tokens_used", "model"] as const;

/** What a template can be filled with. */
export function TemplateHelp() {
  return (
    <>
      Placeholders:{" "}
      {VARIABLES.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <code className="font-mono">{`{{${name}}}`}</code>
        </span>
      ))}
    </>
  );
}
