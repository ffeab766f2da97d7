import { expect } from "vitest";
import { useBrowser } from "../../browser/browser.ts";
import { signInOn } from "../../browser/scene.ts";
import { ADA_ENV } from "../../support/accounts.ts";
import { apiOf } from "../../support/api.ts";
import { freePort } from "../../support/free-port.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const MINUTE_MS = 60_000;

const browser = useBrowser();

verifies(
  "live.killed",
  "the page of a run survives the end of its process by kill -9",
  async () => {
    const database = await createDatabase();
    const keys = createKeys();
    const env = { ...ADA_ENV, PORT: String(await freePort()) };
    const start = () => startProcess({ databaseUrl: database.url, keys, env });
    let service = await start();
    try {
      const api = apiOf(service, keys.api);
      const words = Array.from({ length: 150 }, (_, index) => `w${index}`).join(" ");
      const { id } = await createTask(api, { title: "Speaks", description: `[[slow:60]][[say:${words}]]` });
      const page = await browser.newPage({ mayFail: ["/"] });
      await signInOn(page, service.url);
      await page.goto(`${service.url}/w/my-workspace/runs/${id}?view=conversation`);
      await page.getByRole("heading", { name: "Speaks", level: 1 }).waitFor();
      // The page is there before the first word, so that the process ends among the words, however slow the machine is.
      const agent = await createAgent(api, { model: "demo" });
      await api.patch(`/api-tasks?id=${id}`, { assigned_agent_id: agent.id });
      const conversation = page.getByRole("region", { name: "Steps" }).locator("[aria-live=off]");
      await conversation.getByText("w20").waitFor();
      await service.kill();
      await page.getByText("Updates paused, reconnecting").waitFor();
      expect(await conversation.innerText()).toContain("w20");

      service = await start();
      await taskIn(apiOf(service, keys.api), id, "completed");
      await page.getByText("Completed", { exact: true }).first().waitFor();
      await page.getByText("Updates paused, reconnecting").waitFor({ state: "detached" });
      const logged = await saidIn(database.url, id);
      expect(logged.length).toBeGreaterThan(150);
      await eventually("every word of the log is on the page, once", async () => {
        const shown = (await conversation.innerText()).match(/\bw\d+/g) ?? [];
        return JSON.stringify(shown) === JSON.stringify(logged);
      });
      await conversation.getByText("Cut off, said again below").waitFor();
      await page.getByRole("link", { name: "Timeline" }).click();
      await page.getByText(/^Process died, resumed .+ later/).waitFor();
      await page.getByText("No finished step was repeated.").waitFor();
    } finally {
      await service.stop();
      await database.drop();
    }
  },
  3 * MINUTE_MS,
);

/** The words of all messages of a log, also of those that were cut. */
async function saidIn(databaseUrl: string, id: string): Promise<readonly string[]> {
  const text = `
    with log as (
      select seq, event from task_events where log_id = $1
      union all
      select p.first_seq + e.n - 1, e.event from task_event_pages p
      cross join unnest(p.events) with ordinality as e (event, n) where p.log_id = $1
    )
    select event->>'messageId' as message, string_agg(event->>'delta', '' order by seq) as text, min(seq) as seq
    from log where event->>'type' = 'TEXT_MESSAGE_CONTENT' group by 1 order by 3`;
  const rows = await sql<{ text: string }>(databaseUrl, text, [id]);
  return rows.flatMap((row) => row.text.match(/\bw\d+/g) ?? []);
}
