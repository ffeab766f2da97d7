/** The tabs of the settings, in their order. The key is the last part of the URL. */
export const SETTINGS_TABS = [
  { key: "workspace", label: "Workspace", to: "/w/$workspace/settings/workspace" },
  { key: "members", label: "Members", to: "/w/$workspace/settings/members" },
  { key: "service-accounts", label: "Service accounts", to: "/w/$workspace/settings/service-accounts" },
  { key: "keys", label: "API keys", to: "/w/$workspace/settings/keys" },
  { key: "models", label: "Model providers", to: "/w/$workspace/settings/models" },
  { key: "approvals", label: "Approvals", to: "/w/$workspace/settings/approvals" },
  { key: "voices", label: "Voices", to: "/w/$workspace/settings/voices" },
  { key: "templates", label: "Output templates", to: "/w/$workspace/settings/templates" },
  { key: "audit", label: "Audit", to: "/w/$workspace/settings/audit" },
  { key: "profile", label: "Profile", to: "/w/$workspace/settings/profile" },
] as const satisfies readonly {
  readonly key: string;
  readonly label: string;
  readonly to: `/w/$workspace/settings/${string}`;
}[];
