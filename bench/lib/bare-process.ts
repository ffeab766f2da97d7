/**
 * Bare Hono services, so that the framework alone can be measured: `/constant` answers with the same bytes every time,
 * `/select` with what a SELECT of 50 agents as JSON gives, through a pool of `pg`.
 */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "pg";
import { z } from "zod";

const order = z.object({ page: z.string(), databaseUrl: z.string(), workspaceId: z.string() });
const JSON_TYPE = { "Content-Type": "application/json; charset=UTF-8" };
const SELECT = {
  name: "select-agents",
  text: `
    with page as (
      select id, row_number() over (order by created_at desc, id desc) as n from agents
      where workspace_id = $1 order by created_at desc, id desc limit 50
    )
    select string_agg(to_json(r)::text, ',' order by p.n) as items from page p join agent_records r on r.id = p.id`,
};

process.once("message", (message) => {
  const { page, databaseUrl, workspaceId } = order.parse(message);
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  const app = new Hono();
  app.get("/constant", (c) => c.body(page, 200, JSON_TYPE));
  app.get("/select", async (c) => {
    const { rows } = await pool.query<{ items: string }>({ ...SELECT, values: [workspaceId] });
    return c.body(`{"data":[${rows[0]?.items ?? ""}]}`, 200, JSON_TYPE);
  });
  serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.({ port }));
});
process.on("disconnect", () => process.exit(0));
