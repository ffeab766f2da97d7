/** The tabs of the settings, in their order. The key is the last part of the address. */
export const SETTINGS_TABS = [
  { key: "models", label: "Model vendors", to: "/w/$workspace/settings/models" },
] as const satisfies readonly {
  readonly key: string;
  readonly label: string;
  readonly to: `/w/$workspace/settings/${string}`;
}[];
