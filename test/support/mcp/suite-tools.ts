import { apiOf } from "../api.ts";
import { HEADING, QUESTION_TOOLS, callOf } from "../interactions.ts";
import type { SharedService } from "../shared-service.ts";
import { FAILING, createAgent } from "../work.ts";

type Arguments = Readonly<Record<string, unknown>>;

const named = (key: string) => ({ key, label: key, type: "text", required: true });
const form = (...keys: readonly string[]) => callOf("request_form", { ...HEADING, fields: keys.map(named) });
const page = (key: string) => ({ stepId: key, type: "form", title: `Your ${key}?`, fields: [named(key)] });

/** Messages with which the demo model plays tools of the official suite, by their names and arguments. */
const PLAYS: Readonly<Record<string, (args: Arguments) => string>> = {
  test_simple_text: () => "[[slow:0]][[say:This is a simple text response for testing.]]",
  test_tool_with_progress: () => "[[slow:150]][[say:one two three four five six]]",
  test_elicitation: () => form("username", "email"),
  test_input_required_result_elicitation: () => form("name"),
  test_input_required_result_request_state: () => `${callOf("request_approval", HEADING)}[[say:state-ok]]`,
  test_input_required_result_multi_round: () =>
    callOf("request_wizard", { ...HEADING, steps: [page("name"), page("color")] }),
  test_input_required_result_tampered_state: () => callOf("request_approval", HEADING),
  greet: ({ name }) => `[[slow:0]][[say:Hello, ${String(name)}!]]`,
  slow_compute: ({ seconds }) => callOf("wait", { seconds: Math.max(1, Number(seconds)) }),
  failing_job: () => FAILING,
  confirm_delete: () => callOf("request_approval", HEADING),
};

/** Publishes an agent for each tool of the suite that the demo model can play. */
export async function publishSuiteTools(service: SharedService): Promise<void> {
  const api = apiOf(service, service.keys.api);
  const tools = [...QUESTION_TOOLS, "wait"];
  for (const name of Object.keys(PLAYS)) await createAgent(api, { name, tools, is_mcp_published: true });
  // The suite calls it without arguments, which our tools reject with a result that has isError.
  await createAgent(api, { name: "test_error_handling", is_mcp_published: true });
}

/** The arguments that an agent takes, for those of the suite's own tools; undefined for a tool that none plays. */
export function playOf(name: string, args: Arguments): { readonly message: string } | undefined {
  const play = PLAYS[name];
  return play && { message: play(args) };
}
