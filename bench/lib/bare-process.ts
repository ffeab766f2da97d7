/** A Hono service that answers every request with the same bytes: what the framework alone costs. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

process.once("message", (message) => {
  const app = new Hono();
  app.get("/*", (c) => c.body(String(message), 200, { "Content-Type": "application/json; charset=UTF-8" }));
  serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.({ port }));
});
process.on("disconnect", () => process.exit(0));
