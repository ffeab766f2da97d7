/** What can be made from any screen: its label, and where its form is, inside of the workspace. */
export const NEW_RECORDS = [
  { label: "New agent", path: "agents/new" },
  { label: "New team", path: "teams?add=team" },
  { label: "New schedule", path: "schedules?edit=yes" },
  { label: "New trigger", path: "triggers?edit=yes" },
  { label: "New route", path: "destinations?edit=new" },
  { label: "New alert", path: "alerts?alert=new" },
  { label: "New tool", path: "tools?tool=new" },
  { label: "New budget", path: "usage?budget=new" },
  { label: "New API key", path: "settings/keys?add=yes" },
  { label: "New service account", path: "settings/service-accounts?add=yes" },
  { label: "Invite a person", path: "settings/members?add=yes" },
] as const;
