import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { breakMarkdownMentions } from "#destinations/message/mentions.ts";
import { PAYLOAD } from "../../support/destinations/deliver.ts";
import { openVendorScene } from "../../support/destinations/vendor-scene.ts";
import type { VendorScene } from "../../support/destinations/vendor-scene.ts";
import { telegramRequest } from "../../support/destinations/vendor-requests.ts";
import { verifies } from "../../support/verifies.ts";

/** Between `@` and a name. */
const GAP = "\u200b";

let scene: VendorScene;

beforeAll(async () => {
  scene = await openVendorScene();
});
afterAll(() => scene.close());

/** The body of the request that carries a result. */
const bodyOf = async (type: string, result: string, options = {}) =>
  (await scene.requestsOf(type, { payload: { ...PAYLOAD, result_full: result }, ...options })).at(-1)?.body ?? "";

verifies("destinations.units", "2,100 emoji are cut where Telegram counts 4,096 UTF-16 units", async () => {
  const { text } = telegramRequest.parse(JSON.parse(await bodyOf("telegram", "😀".repeat(2_100))));
  expect(text).toContain(`${"😀".repeat(1_750)}… (2,100 chars)`);
  expect(text.length).toBeLessThanOrEqual(4_096);
});

verifies("destinations.no-mentions", "no result mentions anyone on GitHub, Telegram and Trello", async () => {
  const result = "Thanks @octocat and @acme/owners.\n\n```sh\nnpm i @acme/tool\n```\n";
  const broken = `Thanks @${GAP}octocat and @${GAP}acme/owners.\n\n`;
  expect(JSON.parse(await bodyOf("github", result))).toMatchObject({
    body: expect.stringContaining(`${broken}\`\`\`sh\nnpm i @acme/tool\n\`\`\``),
  });
  expect(JSON.parse(await bodyOf("telegram", result))).toMatchObject({ text: expect.stringContaining(broken) });
  expect(JSON.parse(await bodyOf("trello", result, { mappedCardId: "card7" }))).toMatchObject({
    text: expect.stringContaining(broken),
  });
  const crowd = JSON.parse(await bodyOf("github", "@octocat ".repeat(50_000)));
  expect(crowd.body.length).toBeLessThanOrEqual(65_536);
});

verifies("destinations.google-calendar.html", "a description shows HTML as text, within its limit", async () => {
  const link = '<a href="https://evil.example">Join</a>';
  expect(JSON.parse(await bodyOf("google_calendar", link))).toMatchObject({
    description: expect.stringMatching(/&lt;a href=&quot;https:\/\/evil\.example&quot;&gt;Join&lt;\/a&gt;$/),
  });
  const { description } = JSON.parse(await bodyOf("google_calendar", "<&>".repeat(10_000)));
  expect(description.length).toBeLessThanOrEqual(8_192);
  expect(description).toMatch(/(?:&lt;|&amp;|&gt;)… \(30,000 chars\)$/);
});

describe("code keeps its text where it is code beyond doubt", () => {
  test.each([
    ["Run `npm i @acme/tool` now"],
    ["~~~\n@acme\n~~~"],
    ["1. Do\n   ```\n   npm i @acme/tool\n   ```\n2. Done"],
    ["mail ada@example.com"],
    ["a @ b"],
  ])("%j", (markdown) => {
    expect(breakMarkdownMentions(markdown)).toBe(markdown);
  });
});

describe("what GitHub shows as text has no mention", () => {
  test.each([
    "@octocat",
    "(@octocat)",
    "_a_@octocat",
    "\\@octocat",
    "&#64;octocat and &#x40;octocat and &commat;octocat",
    "\\`@octocat`",
    "`` ` @octocat",
    "`a\n`@octocat `b`",
    "| ` | ` @octocat ` |",
    '<a title="`">` @octocat `',
    "- ```\n@octocat",
    "- ```\n  a\n  ```\n  @octocat",
    "- a\n  ```\n@octocat",
    "- a\n    ```\n    b\n  ```\n  @octocat",
    "  ```\na\n```\n@octocat",
    "> ```\n@octocat",
    "<div>\n```\n@octocat\n```\n</div>",
    "```\na\n```\n@octocat",
    "``` a`b\n@octocat",
  ])("%j", (markdown) => {
    expect(breakMarkdownMentions(markdown)).not.toMatch(/(?:@|&#64;|&#x40;|&commat;)octocat/);
  });
});

test("a hostile text is read in linear time", () => {
  for (const part of ["`", "` ", "``a`", "**a_", "> ", "[", "<a ", "@", "```\n", "&#0"]) {
    const [short, long] = [part.repeat(3_000), part.repeat(60_000)].map((text) => breakMarkdownMentions(text).length);
    expect(long).toBeGreaterThan(short ?? 0);
  }
});
