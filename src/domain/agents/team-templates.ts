import type { TeamTemplate } from "./template.ts";

/** The teams to begin with, in the order in which they are offered. */
export const TEAM_TEMPLATES: readonly TeamTemplate[] = [
  {
    id: "writer-and-editor",
    purpose: "One agent drafts, a second one edits, a third one checks the facts.",
    task: "Write 200 words for our newsletter: from December on, our shop is open on Sundays.",
    demo: [],
    team: {
      name: "Writer and editor",
      description: "Drafts a text, edits it and checks its facts.",
      mode: "pipeline",
      config: {
        steps: [
          { agent_id: "writer", step_name: "Draft", instructions: "Write the text that the task asks for." },
          { agent_id: "editor", step_name: "Edit", instructions: "Make the draft shorter and clearer." },
          {
            agent_id: "checker",
            step_name: "Check",
            instructions: "Compare the text with the task. Correct what is not in it, and return the final text.",
          },
        ],
      },
      agents: [
        {
          ref_id: "writer",
          agent: {
            name: "Newsletter writer",
            system_prompt: "You write for a newsletter: friendly, concrete, without superlatives. Invent no facts.",
          },
        },
        {
          ref_id: "editor",
          agent: {
            name: "Newsletter editor",
            system_prompt: "You edit texts. Cut what says nothing new. Keep the facts. Return only the text.",
          },
        },
        {
          ref_id: "checker",
          agent: {
            name: "Fact checker",
            system_prompt: "You check texts against their source. Change only what the source does not support.",
            temperature: 0,
          },
        },
      ],
    },
  },
  {
    id: "three-reviewers",
    purpose: "Three agents review a document at the same time, and a fourth merges their findings.",
    task: "Review this clause: The customer may cancel at any time with three months' notice to the end of a year.",
    demo: [],
    team: {
      name: "Three reviewers",
      description: "Reviews a document from three sides at once.",
      mode: "pipeline",
      config: {
        steps: [
          {
            type: "fan_out",
            step_name: "Review",
            parallel_agents: ["law", "money", "words"],
            merge_agent_id: "merge",
            merge_instructions: "Merge the findings into one list, the most serious first. Name who found each.",
            fan_out_failure: "continue_on_partial",
          },
        ],
      },
      agents: [
        {
          ref_id: "law",
          agent: { name: "Legal reviewer", system_prompt: "You look for risks and gaps in contracts. Be brief." },
        },
        {
          ref_id: "money",
          agent: { name: "Cost reviewer", system_prompt: "You look for hidden costs and deadlines. Be brief." },
        },
        {
          ref_id: "words",
          agent: { name: "Plain-words reviewer", system_prompt: "You look for what a customer cannot understand." },
        },
        {
          ref_id: "merge",
          agent: { name: "Review editor", system_prompt: "You merge reviews. Remove doubles; keep disagreements." },
        },
      ],
    },
  },
  {
    id: "research-desk",
    purpose: "A lead splits a question, lets searchers work at the same time, and judges what they bring.",
    task: "Compare heat pumps and gas heating for a house of 1970: costs over ten years, and what has to be rebuilt.",
    demo: [
      '[[tool:delegate_to_worker {"agent_id":"searcher","instruction":"Find what each heating costs in ten years."}]] [[tool:delegate_to_worker {"agent_id":"builder","instruction":"List what has to be rebuilt in a house of 1970."}]]',
      '[[tool:accept_result {"delegation_id":"d1","score":0.9}]] [[tool:accept_result {"delegation_id":"d2","score":0.8}]]',
    ],
    team: {
      name: "Research desk",
      description: "Splits a question into parts and answers it from the results.",
      mode: "orchestrator",
      config: { brain_agent_id: "lead", worker_agent_ids: ["searcher", "builder"], quality_threshold: 0.7 },
      agents: [
        {
          ref_id: "lead",
          agent: {
            name: "Research lead",
            system_prompt:
              "You lead a research desk. Split the question into parts that do not overlap, and give each to the worker who fits. Judge what comes back: is it complete, and does it name sources? Then answer in at most 300 words.",
          },
        },
        {
          ref_id: "searcher",
          agent: {
            name: "Web searcher",
            system_prompt: "You find facts on the web. Name the source of each. Say what you did not find.",
            tools: ["web_search", "read_url"],
          },
        },
        {
          ref_id: "builder",
          agent: {
            name: "Practice expert",
            system_prompt: "You know how things are done in practice. Give steps, effort and risks, without marketing.",
          },
        },
      ],
    },
  },
  {
    id: "service-desk",
    purpose: "A dispatcher gives each request to the specialist for billing or technology.",
    task: "I was charged twice in March, and the app shows error 403 since then.",
    demo: [
      '[[tool:delegate_to_worker {"agent_id":"billing","instruction":"The customer was charged twice in March."}]] [[tool:delegate_to_worker {"agent_id":"technical","instruction":"The app shows error 403 since March."}]]',
      '[[tool:accept_result {"delegation_id":"d1","score":1}]] [[tool:accept_result {"delegation_id":"d2","score":1}]]',
    ],
    team: {
      name: "Service desk",
      description: "Routes requests to specialists and answers in one voice.",
      mode: "orchestrator",
      config: { brain_agent_id: "dispatcher", worker_agent_ids: ["billing", "technical"], max_delegation_depth: 1 },
      agents: [
        {
          ref_id: "dispatcher",
          agent: {
            name: "Dispatcher",
            system_prompt:
              "You are the dispatcher of a service desk. Give each part of a request to the right specialist. Write one friendly reply from what they say. Promise nothing that they did not say.",
          },
        },
        {
          ref_id: "billing",
          agent: { name: "Billing specialist", system_prompt: "You answer questions about invoices and payments." },
        },
        {
          ref_id: "technical",
          agent: { name: "Technical specialist", system_prompt: "You find the cause of faults, and the next step." },
        },
      ],
    },
  },
  {
    id: "round-table",
    purpose: "Agents with different views discuss a decision until they agree.",
    task: "Should we move our offices to a four-day week next year?",
    demo: [],
    team: {
      name: "Round table",
      description: "Discusses a decision from three sides.",
      mode: "collaboration",
      config: {
        agent_ids: ["optimist", "sceptic", "moderator"],
        speaker_selection: "round_robin",
        max_turns: 6,
        termination_condition: "consensus",
      },
      agents: [
        {
          ref_id: "optimist",
          agent: {
            name: "Optimist",
            system_prompt: "You argue for the change, with facts and one example each time. At most 80 words.",
          },
        },
        {
          ref_id: "sceptic",
          agent: {
            name: "Sceptic",
            system_prompt:
              "You look for what can go wrong and what it costs. Give in to good reasons. At most 80 words.",
          },
        },
        {
          ref_id: "moderator",
          agent: {
            name: "Moderator",
            system_prompt: "You sum up what both sides share, and what is open. Propose a decision. At most 80 words.",
          },
        },
      ],
    },
  },
];
