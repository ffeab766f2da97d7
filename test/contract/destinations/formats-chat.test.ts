import { afterAll, beforeAll, expect } from "vitest";
import { FAILED, deliver } from "../../support/destinations/deliver.ts";
import type { PAYLOAD } from "../../support/destinations/deliver.ts";
import * as vendor from "../../support/destinations/vendor-requests.ts";
import { LONG, TITLE, openVendorScene } from "../../support/destinations/vendor-scene.ts";
import type { VendorScene } from "../../support/destinations/vendor-scene.ts";
import { verifies } from "../../support/verifies.ts";

let scene: VendorScene;

beforeAll(async () => {
  scene = await openVendorScene();
});
afterAll(() => scene.close());

verifies(
  ["destinations.slack", "destinations.slack.truncation", "destinations.slack.truncation-note"],
  "slack gets a coloured block with at most 2,900 characters of the result",
  async () => {
    const [done] = vendor.slackRequest.parse(
      JSON.parse((await scene.requestOf("slack", { payload: LONG })).body),
    ).attachments;
    expect(done?.color).toBe("#2ea043");
    expect(done?.blocks.map(({ text }) => text.text)).toEqual([
      TITLE,
      "Agent: Writer",
      `${"ß".repeat(2_900)}… (5,000 chars)`,
    ]);
    const failed = vendor.slackRequest.parse(JSON.parse((await scene.requestOf("slack", { payload: FAILED })).body));
    expect(failed.attachments[0]?.color).toBe("#d1242f");
    expect(failed.attachments[0]?.blocks.map(({ text }) => text.text)).toEqual([
      "[Service] Weekly report — failed",
      "Agent: Writer",
      "Error: The model is overloaded.",
    ]);
  },
);

verifies(
  ["destinations.discord", "destinations.discord.truncation"],
  "discord gets an embed whose result has at most 1,000 characters",
  async () => {
    const { embeds } = vendor.discordRequest.parse(
      JSON.parse((await scene.requestOf("discord", { payload: LONG })).body),
    );
    expect(embeds[0]).toMatchObject({ title: TITLE, color: 0x2e_a0_43 });
    expect(embeds[0]?.fields.map(({ name, value }) => [name, value])).toEqual([
      ["Agent", "Writer"],
      ["Status", "completed"],
      ["Title", "Weekly report"],
      ["Result", `${"ß".repeat(1_000)}… (5,000 chars)`],
    ]);
    const failed = vendor.discordRequest.parse(
      JSON.parse((await scene.requestOf("discord", { payload: FAILED })).body),
    );
    expect(failed.embeds[0]?.color).toBe(0xd1_24_2f);
    expect(failed.embeds[0]?.fields.at(-2)).toMatchObject({ name: "Error", value: "The model is overloaded." });
  },
);

verifies(
  ["destinations.telegram", "destinations.telegram.truncation"],
  "telegram sends at most 3,500 characters of the result to a number, a group or a channel",
  async () => {
    for (const chat of ["42", "-1001234567890", "@results", 42]) {
      const config = { bot_token: "123:abc_DEF-1", chat_id: chat };
      const { path, body } = await scene.requestOf("telegram", { config, payload: LONG });
      expect(path).toBe("/bot123:abc_DEF-1/sendMessage");
      expect(JSON.parse(body)).toMatchObject({
        chat_id: String(chat),
        text: `${TITLE}\n\nAgent: Writer\n\n${"ß".repeat(3_500)}… (5,000 chars)`,
      });
    }
    const wrong = await deliver({
      type: "telegram",
      config: { bot_token: "1:a", chat_id: "results" },
      base: scene.server.url,
    });
    expect(wrong.error).toContain("@channelname");
  },
);

verifies(
  ["destinations.teams", "destinations.teams.truncation"],
  "teams gets a card with header, facts, monospace result of at most 2,000 characters, and the error",
  async () => {
    const cardOf = async (payload: typeof PAYLOAD) =>
      vendor.teamsRequest.parse(JSON.parse((await scene.requestOf("teams", { payload })).body)).attachments[0].content;
    const done = await cardOf(LONG);
    expect(done.version).toBe("1.4");
    expect(done.body).toMatchObject([
      { text: TITLE, size: "Large", color: "Good" },
      {
        facts: [
          { title: "Task", value: "Weekly report" },
          { title: "Agent", value: "Writer" },
          { title: "Status", value: "completed" },
        ],
      },
      { text: `${"ß".repeat(2_000)}… (5,000 chars)`, fontType: "Monospace" },
    ]);
    const failed = await cardOf({ ...FAILED, event: "team_run.failed", agent_name: "Writers" });
    expect(failed.body).toMatchObject([
      { color: "Attention" },
      { facts: [{ title: "Task" }, { title: "Team", value: "Writers" }, { value: "failed" }] },
      { text: "The model is overloaded.", color: "Attention" },
    ]);
    expect(failed.body).toHaveLength(3);
  },
);
