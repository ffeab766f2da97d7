import { afterAll, expect, test, vi } from "vitest";
import { signedIn } from "../api/session.ts";
import { readDraft, removeDrafts, storeDraft } from "./drafts.ts";

vi.stubGlobal("sessionStorage", memoryStorage());
afterAll(() => vi.unstubAllGlobals());

test("a draft is of one person in one workspace", () => {
  signInAs("ada", "office");
  storeDraft("answer", { text: "Ship it" });
  expect(readDraft("answer", {})).toEqual({ text: "Ship it" });
  for (const [person, workspace] of [
    ["grace", "office"],
    ["ada", "lab"],
  ] as const) {
    signInAs(person, workspace);
    expect(readDraft("answer", "none")).toBe("none");
    removeDrafts(() => true);
  }
  signInAs("ada", "office");
  expect(readDraft("answer", {})).toEqual({ text: "Ship it" });
});

test("drafts are removed by their names", () => {
  storeDraft("a.1", "one");
  storeDraft("a.2", "two");
  removeDrafts((name) => name === "a.1");
  storeDraft("a.3", undefined);
  expect(["a.1", "a.2", "a.3"].map((name) => readDraft(name, "none"))).toEqual(["none", "two", "none"]);
});

function signInAs(person: string, workspace: string): void {
  signedIn({
    access_token: "token",
    token_type: "Bearer",
    expires_in: 900,
    workspace_id: workspace,
    role: "member",
    needs_passkey: false,
    user: { id: person, email: `${person}@example.org`, name: person },
    workspaces: [],
  });
}

/** As in a browser, its keys are those of the object. */
function memoryStorage(): object {
  const items: Record<string, string> = Object.create({
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => void (items[key] = value),
    removeItem: (key: string) => void delete items[key],
  });
  return items;
}
