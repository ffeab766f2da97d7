import type { CommandGroup } from "../define-command.ts";

/** Every command. Each is loaded when it is needed. */
export const muster: CommandGroup = {
  kind: "group",
  summary: "AI agents and durable work on them, from the command line.",
  commands: {
    serve: async () => (await import("./serve.ts")).default,
    init: async () => (await import("./init.ts")).default,
    "reset-password": async () => (await import("./reset-password.ts")).default,
    "rotate-key": async () => (await import("./rotate-key.ts")).default,
    whoami: async () => (await import("./whoami.ts")).default,
    agents: group("The agents of your workspace.", {
      list: async () => (await import("./agents/list.ts")).default,
      create: async () => (await import("./agents/create.ts")).default,
      get: async () => (await import("./agents/get.ts")).default,
      delete: async () => (await import("./agents/delete.ts")).default,
      versions: async () => (await import("./agents/versions.ts")).default,
      diff: async () => (await import("./agents/diff.ts")).default,
      restore: async () => (await import("./agents/restore.ts")).default,
    }),
    tasks: group("Work for agents.", {
      create: async () => (await import("./tasks/create.ts")).default,
      list: async () => (await import("./tasks/list.ts")).default,
      get: async () => (await import("./tasks/get.ts")).default,
      watch: async () => (await import("./tasks/watch.ts")).default,
      answer: async () => (await import("./tasks/answer.ts")).default,
      cancel: async () => (await import("./tasks/cancel.ts")).default,
    }),
    files: group("Files for tasks and runs, and what they give out.", {
      upload: async () => (await import("./files/upload.ts")).default,
      list: async () => (await import("./files/list.ts")).default,
      get: async () => (await import("./files/get.ts")).default,
      delete: async () => (await import("./files/delete.ts")).default,
    }),
    teams: group("Agents that work together.", {
      list: async () => (await import("./teams/list.ts")).default,
      create: async () => (await import("./teams/create.ts")).default,
      get: async () => (await import("./teams/get.ts")).default,
      run: async () => (await import("./teams/run.ts")).default,
      delete: async () => (await import("./teams/delete.ts")).default,
      memories: group("What a team remembers of its runs.", {
        list: async () => (await import("./teams/memories/list.ts")).default,
        delete: async () => (await import("./teams/memories/delete.ts")).default,
      }),
    }),
    runs: group("Work for teams.", {
      create: async () => (await import("./runs/create.ts")).default,
      list: async () => (await import("./runs/list.ts")).default,
      get: async () => (await import("./runs/get.ts")).default,
      watch: async () => (await import("./runs/watch.ts")).default,
      answer: async () => (await import("./runs/answer.ts")).default,
      cancel: async () => (await import("./runs/cancel.ts")).default,
      fork: async () => (await import("./runs/fork.ts")).default,
      retry: async () => (await import("./runs/retry.ts")).default,
    }),
    schedules: group("Tasks that begin by themselves, again and again.", {
      list: async () => (await import("./schedules/list.ts")).default,
      create: async () => (await import("./schedules/create.ts")).default,
      get: async () => (await import("./schedules/get.ts")).default,
      pause: async () => (await import("./schedules/pause.ts")).default,
      resume: async () => (await import("./schedules/resume.ts")).default,
      log: async () => (await import("./schedules/log.ts")).default,
      delete: async () => (await import("./schedules/delete.ts")).default,
    }),
    triggers: group("Addresses whose requests become tasks.", {
      list: async () => (await import("./triggers/list.ts")).default,
      create: async () => (await import("./triggers/create.ts")).default,
      get: async () => (await import("./triggers/get.ts")).default,
      pause: async () => (await import("./triggers/pause.ts")).default,
      resume: async () => (await import("./triggers/resume.ts")).default,
      rotate: async () => (await import("./triggers/rotate.ts")).default,
      log: async () => (await import("./triggers/log.ts")).default,
      delete: async () => (await import("./triggers/delete.ts")).default,
    }),
    export: group("Write a file that another workspace or instance can import.", {
      agent: async () => (await import("./export/agent.ts")).default,
      team: async () => (await import("./export/team.ts")).default,
    }),
    import: async () => (await import("./import.ts")).default,
    marketplace: group("Agents that workspaces offer to each other.", {
      list: async () => (await import("./marketplace/list.ts")).default,
      install: async () => (await import("./marketplace/install.ts")).default,
    }),
    budgets: group("Caps on what your workspace, agents, teams and runs may spend.", {
      list: async () => (await import("./budgets/list.ts")).default,
      set: async () => (await import("./budgets/set.ts")).default,
      delete: async () => (await import("./budgets/delete.ts")).default,
    }),
    usage: async () => (await import("./usage.ts")).default,
    tools: group("HTTP endpoints of your workspace that its agents can call.", {
      list: async () => (await import("./tools/list.ts")).default,
      create: async () => (await import("./tools/create.ts")).default,
      test: async () => (await import("./tools/test.ts")).default,
      calls: async () => (await import("./tools/calls.ts")).default,
      delete: async () => (await import("./tools/delete.ts")).default,
    }),
    "remote-agents": group("Manage remote agents that agents delegate to over A2A", {
      list: async () => (await import("./remote-agents/list.ts")).default,
      add: async () => (await import("./remote-agents/add.ts")).default,
      get: async () => (await import("./remote-agents/get.ts")).default,
      refresh: async () => (await import("./remote-agents/refresh.ts")).default,
      enable: async () => (await import("./remote-agents/enable.ts")).default,
      disable: async () => (await import("./remote-agents/disable.ts")).default,
      delete: async () => (await import("./remote-agents/delete.ts")).default,
    }),
    knowledge: group("What agents look things up in.", {
      add: async () => (await import("./knowledge/add.ts")).default,
      list: async () => (await import("./knowledge/list.ts")).default,
      search: async () => (await import("./knowledge/search.ts")).default,
      reprocess: async () => (await import("./knowledge/reprocess.ts")).default,
      delete: async () => (await import("./knowledge/delete.ts")).default,
      bases: async () => (await import("./knowledge/bases.ts")).default,
      create: async () => (await import("./knowledge/create.ts")).default,
    }),
    providers: group("Keys and addresses of model vendors.", {
      list: async () => (await import("./providers/list.ts")).default,
      set: async () => (await import("./providers/set.ts")).default,
      remove: async () => (await import("./providers/remove.ts")).default,
    }),
    keys: group("Keys that open the service to programs.", {
      list: async () => (await import("./keys/list.ts")).default,
      create: async () => (await import("./keys/create.ts")).default,
      revoke: async () => (await import("./keys/revoke.ts")).default,
      rotate: async () => (await import("./keys/rotate.ts")).default,
    }),
    members: group("The people of your workspace.", {
      list: async () => (await import("./members/list.ts")).default,
      invite: async () => (await import("./members/invite.ts")).default,
      remove: async () => (await import("./members/remove.ts")).default,
    }),
  },
};

function group(summary: string, commands: CommandGroup["commands"]): () => Promise<CommandGroup> {
  return () => Promise.resolve({ kind: "group", summary, commands });
}
