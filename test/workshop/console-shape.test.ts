import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Visitor, parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const CONSOLE = join(import.meta.dirname, "../../console/src");
const MAX_LINES = 60;
const MAX_CLASSES = 100;
/** What only a class has: one of these is in every long one. */
const CLASS =
  /(?:^| )(?:flex|inline-flex|grid|block|absolute|relative|fixed|sticky|rounded-\S+|border|w-full|h-\d\S*)(?: |$)/;
/** What no class has: the end of a phrase. */
const WORDS = /[.?!,] /;

/** The components that are longer. None is added; one that is divided goes. */
const LONG_COMPONENTS: readonly string[] = [
  "features/palette/palette.tsx Palette",
  "features/run/run-actions.tsx MoreMenu",
  "features/run/run-body.tsx RunBody",
  "features/run/steps/axis-head.tsx AxisHead",
  "features/run/steps/step-row.tsx StepCells",
  "features/run/steps/step-tree.tsx StepTree",
  "features/run/steps/steps-toolbar.tsx StepsToolbar",
  "features/run/steps/steps-view.tsx StepsView",
  "features/runs/run-table.tsx Cells",
  "features/runs/run-table.tsx RunTable",
  "features/runs/selection-bar.tsx SelectionBar",
  "features/schedules/recurrence-fields.tsx RecurrenceFields",
  "features/start/start-form.tsx StartForm",
  "features/teams/config/step-card.tsx StepCard",
  "features/teams/config/step-list.tsx StepList",
  "features/try/chat.tsx Chat",
  "features/try/composer.tsx Composer",
  "features/try/rerun-sheet.tsx RerunSheet",
  "routes/agent-new.tsx NewAgentPage",
  "ui/column-handle.tsx ColumnHandle",
  "ui/combobox.tsx Combobox",
  "ui/json-field.tsx JsonField",
  "ui/table.tsx Table",
];
/** How many longer strings of classes a file has. None is added; one that becomes a component goes. */
const LONG_CLASSES: Readonly<Record<string, number>> = {};

/** What of a file is too long. */
interface Long {
  readonly components: readonly string[];
  readonly classes: number;
}

const files = globSync("**/*.{ts,tsx}", { cwd: CONSOLE }).filter((file) => !file.includes(".test."));
const long = files.map((file) => [file, longIn(file, readFileSync(join(CONSOLE, file), "utf8"))] as const);

test("a component has at most 60 lines", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(long.flatMap(([, { components }]) => components).toSorted()).toEqual(LONG_COMPONENTS.toSorted());
});

test("a string of classes has less than 100 characters", () => {
  const counts = long.map(([file, { classes }]) => [file, classes] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(LONG_CLASSES);
});

test("a long component and a long string of classes are found", () => {
  const component = `function Page() {${"\n".repeat(MAX_LINES)}}\nfunction page() {${"\n".repeat(MAX_LINES)}}`;
  const strings = `const LOOK = "flex ${"gap-4 ".repeat(20)}"; const WORDS = "${"word ".repeat(30)}";`;
  expect(longIn("x.tsx", `${component}\n${strings}`)).toEqual({ components: ["x.tsx Page"], classes: 1 });
});

function longIn(file: string, text: string): Long {
  const components: string[] = [];
  let classes = 0;
  const look = (value: unknown) => {
    if (typeof value === "string" && value.length >= MAX_CLASSES && CLASS.test(value) && !WORDS.test(value)) classes++;
  };
  const visitor = new Visitor({
    FunctionDeclaration({ id, start, end }) {
      if (id === null || !/^[A-Z]/.test(id.name) || !file.endsWith(".tsx")) return;
      if (text.slice(start, end).split("\n").length > MAX_LINES) components.push(`${file} ${id.name}`);
    },
    Literal: ({ value }) => look(value),
    TemplateElement: ({ value }) => look(value.cooked),
  });
  visitor.visit(parseSync(file, text).program);
  return { components, classes };
}
