import type { Requirements } from "./requirement.ts";

const LATER = "some of these surfaces are not built yet";
const SPLIT = "roles of a process are not built yet";

/** Names, hosts and ports. */
export const names = {
  "names.port.default-4400": {
    states: "The service listens on port 4400 unless PORT says otherwise.",
    source: "decision",
  },
  "names.one-process": {
    states: "One process serves every surface on one port.",
    source: "decision",
  },
  "names.one-process.every-surface": {
    states:
      "That port serves /functions/v1, /rest/v1, /ag-ui, /a2a, /.well-known, /mcp, /files, /auth, /console and the web UI.",
    source: "decision",
    open: LATER,
  },
  "names.path.functions-v1": {
    states: "The envelope API is under /functions/v1.",
    source: "contract",
  },
  "names.path.ag-ui": { states: "AG-UI is under /ag-ui.", source: "contract" },
  "names.role.split": {
    states: "--role api, runner or all chooses the role of a process.",
    source: "decision",
    open: SPLIT,
  },
  "names.service-name": {
    states: "SERVICE_NAME, Service unless set, is the name in brackets on created items.",
    source: "decision",
  },
  "names.signature-header": {
    states: "The signature header is X-Service-Signature whatever the name.",
    source: "decision",
  },
} as const satisfies Requirements<"names">;
