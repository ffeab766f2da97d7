import { ArrowDownIcon } from "../../../ui/icons.tsx";
import type { TeamMode } from "../team-mode.ts";
import { useNamesOf } from "../../pickers/records.ts";
import type { Fields } from "./fields.ts";
import { flowOf } from "./flow.ts";
import type { FlowStage } from "./flow.ts";

const HOW_LABELS = { alone: "", parallel: "in parallel", turns: "in turn" } as const;

/** The config as a picture, read from top to bottom: the same as the form shows, at one glance. */
export function FlowView({ mode, config }: { readonly mode: TeamMode; readonly config: Fields }) {
  const stages = flowOf(mode, config);
  return (
    <figure aria-label="How the work goes" className="flex flex-col items-center">
      <End>Input</End>
      {stages.map((stage, index) => (
        <div key={index} className="flex w-full flex-col items-center">
          <Arrow words={index === 0 ? undefined : stages[index - 1]?.next} />
          <Stage stage={stage} />
        </div>
      ))}
      <Arrow words={stages.at(-1)?.next} />
      <End>Result</End>
    </figure>
  );
}

function Stage({ stage }: { readonly stage: FlowStage }) {
  const { title, agents, how } = stage;
  const nameOf = useNamesOf("agent", agents);
  const isGroup = how !== "alone";
  return (
    <div
      className={`w-full max-w-80 rounded-panel border p-2.5 ${isGroup ? "border-dashed border-control/60" : "border-line bg-canvas"}`}
    >
      <p className="flex justify-between gap-2 text-caption text-ink-3">
        <span dir="auto" className="truncate">
          {title}
        </span>
        <span className="shrink-0">{HOW_LABELS[how]}</span>
      </p>
      {agents.length === 0 ? (
        <p className="mt-0.5 text-waiting">No agent yet</p>
      ) : (
        <ul className={isGroup ? "mt-1.5 grid grid-cols-2 gap-1.5" : "mt-0.5"}>
          {agents.map((id) => (
            <li
              key={id}
              dir="auto"
              className={`truncate font-medium ${isGroup ? "rounded-control border border-line bg-canvas px-2 py-1" : ""}`}
            >
              {nameOf(id)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Arrow({ words }: { readonly words: string | undefined }) {
  return (
    <span className="relative flex h-8 items-center text-ink-3">
      <ArrowDownIcon />
      {words !== undefined && <span className="absolute start-full ms-1 text-caption whitespace-nowrap">{words}</span>}
    </span>
  );
}

function End({ children }: { readonly children: string }) {
  return <span className="rounded-full bg-raised px-3 py-0.5 text-small text-ink-2">{children}</span>;
}
