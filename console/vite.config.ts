import { readFile } from "node:fs/promises";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import type { Plugin, PluginOption } from "vite";
import { chunkGroups } from "./chunks.ts";
import { notices } from "./notices.ts";

const SERVICE = process.env["MUSTER_URL"] ?? "http://127.0.0.1:4400";
/** What the service answers itself; everything else is a page. */
const API = ["/auth", "/functions", "/console/api", "/ag-ui", "/files", "/rest", "/openapi.json"];
const DEV_PORT = 5173;

/** In this mode the document of agents' pages is built, into the folder of the console: strangers load nothing else. */
const isPage = (mode: string) => mode === "page";

/** The console: pages for people, served by the same process as the API. `npm run dev:console` reloads on changes. */
export default defineConfig(async ({ command, mode }) => ({
  plugins: [tailwindcss(), firstPaint(), notices(), ...(command === "serve" ? await refreshPlugins() : [])],
  build: {
    target: "es2024",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: isPage(mode)
      ? { input: join(import.meta.dirname, "page.html") }
      : { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: {
    port: DEV_PORT,
    strictPort: true,
    // Host stays as it is, so that the service sees its own origin and lets the cookie pass.
    proxy: Object.fromEntries(API.map((path) => [path, { target: SERVICE, changeOrigin: false }])),
  },
}));

/** Only for development: an installation without development packages builds, too. */
async function refreshPlugins(): Promise<PluginOption[]> {
  const { default: react } = await import("@vitejs/plugin-react");
  return react();
}

/**
 * Adds what the first paint needs: the script that sets the theme, which is no module so that it runs before, and the
 * font of all text.
 */
function firstPaint(): Plugin {
  const path = join(import.meta.dirname, "src/theme-first.js");
  return {
    name: "first-paint",
    async buildStart() {
      if (this.environment.config.command === "serve") return;
      this.emitFile({ type: "asset", name: "theme.js", source: await readFile(path, "utf8") });
    },
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const files = Object.keys(bundle ?? {});
        const theme = files.find((file) => /^assets\/theme-[^/]+\.js$/.test(file));
        const font = files.find((file) => /^assets\/inter-[^/]+\.woff2$/.test(file));
        const preload = { rel: "preload", as: "font", type: "font/woff2", crossorigin: "" };
        return [
          { tag: "script", attrs: { src: theme ? `/${theme}` : "/src/theme-first.js" }, injectTo: "head-prepend" },
          ...(font === undefined ? [] : [{ tag: "link", attrs: { ...preload, href: `/${font}` } }]),
        ];
      },
    },
  };
}
