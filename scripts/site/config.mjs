import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { slugOf } from "./slug.ts";

/** What `pages.ts` has read of the project. */
const { version, sidebar } = JSON.parse(readFileSync(new URL("site.json", import.meta.url), "utf8"));

/** The settings of VitePress: https://vitepress.dev/reference/site-config */
export default defineConfig({
  title: "Muster",
  description: "Runs AI agents and teams of agents on your own server.",
  // A release is published below its version, such as /0.1.0/.
  base: process.env["SITE_BASE"] ?? "/",
  cleanUrls: true,
  markdown: { html: false, linkify: false, anchor: { slugify: slugOf } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar,
    nav: [
      { text: "Guides", link: "/docs/" },
      { text: "HTTP API", link: "/docs/reference/http" },
      { text: "Commands", link: "/docs/reference/cli" },
      {
        text: version,
        items: [
          { text: "Changes", link: "/CHANGELOG" },
          { text: "Compatibility", link: "/docs/compatibility" },
        ],
      },
    ],
  },
});
