import { expect, test } from "vitest";
import { changeLabel, subjectLabel } from "./audit-labels.ts";
import type { AuditEntry } from "./audit-labels.ts";

const NAMES = new Map([
  ["type http", "HTTP webhook"],
  ["provider openai", "OpenAI"],
]);
const entry = (fields: Pick<AuditEntry, "action" | "changes"> & { readonly name: string | null }): AuditEntry => {
  const [kind = ""] = fields.action.split(".");
  return {
    id: "e",
    at: "2026-11-23T12:00:00.000Z",
    actor: null,
    key: null,
    action: fields.action,
    subject: { kind: kind === "provider_key" ? kind : "route", id: null, name: fields.name },
    changes: fields.changes,
  };
};

test("what was changed is said in words, not by the ids of the API", () => {
  const route = entry({
    action: "route.created",
    name: "Reports",
    changes: {
      name: [null, "Reports"],
      type: [null, "http"],
      events: [null, ["a", "b", "c"]],
      is_active: [null, true],
    },
  });
  expect(changeLabel(route, NAMES)).toBe("type HTTP webhook, events a, b and c, active");
  const budget = entry({ action: "budget.changed", name: "agent", changes: { on_breach: ["stop", "ask"] } });
  expect(changeLabel(budget, NAMES)).toBe("at the limit: end the run to ask a person");
  const key = entry({
    action: "key.created",
    name: "CI",
    changes: { kind: [null, "envelope"], scopes: [null, ["read"]] },
  });
  expect(changeLabel(key, NAMES)).toBe("for the API, scopes read");
  const agent = entry({
    action: "agent.created",
    name: "Editor",
    changes: {
      reasoning: [null, { show: false, effort: null }],
      fallback_models: [null, []],
      assigned_agent_id: [null, "01a2258f-134c-753b-a2d7-24bd797be24d"],
    },
  });
  expect(changeLabel(agent, NAMES)).toBe("agent 01a2258f…e24d");
  const changed = entry({
    action: "agent.changed",
    name: "Editor",
    changes: {
      reasoning: [
        { show: false, effort: null },
        { show: true, effort: "high" },
      ],
    },
  });
  expect(changeLabel(changed, NAMES)).toBe("reasoning: show yes and effort high");
  expect(subjectLabel(entry({ action: "provider_key.created", name: "openai", changes: {} }), NAMES)).toBe("OpenAI");
  const owner = entry({ action: "member.created", name: "owner@localhost.localdomain", changes: {} });
  expect(subjectLabel(owner, NAMES)).toBe("owner, before the set-up");
});
