import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TEMPLATE_VARIABLES, outputTemplate, renderTemplate } from "./output-template.ts";

const values = {
  task_title: "Title",
  task_result: "Result",
  agent_name: "Agent",
  timestamp: "2026-01-02T03:04:05.678Z",
  tokens_used: "18",
  model: "demo",
};

test("every variable is replaced, wherever it is", () => {
  for (const name of TEMPLATE_VARIABLES) {
    expect(renderTemplate(`{{${name}}}{{ ${name} }}-{{\t${name}\n}}`, values)).toBe(
      `${values[name]}${values[name]}-${values[name]}`,
    );
  }
});

const literal = [
  "{{unknown}}",
  "{{ unknown }}",
  "{{}}",
  "{{task title}}",
  "{task_title}",
  "{{task_title}",
  "{{Task_Title}}",
  "{{task-title}}",
  "{{constructor}}",
  "{{__proto__}}",
];
for (const body of literal) {
  test(`${body} stays as it was written`, () => {
    expect(renderTemplate(body, values)).toBe(body);
  });
}

test("a variable without a value stays as it was written", () => {
  expect(renderTemplate("{{model}} {{ task_title }}", { model: "demo" })).toBe("demo {{ task_title }}");
});

test("braces around a placeholder stay", () => {
  expect(renderTemplate('{"a":{"b":"{{model}}"}} {{{model}}}', values)).toBe('{"a":{"b":"demo"}} {demo}');
});

test("the output contains any result unchanged: not expanded, not escaped", () => {
  const pieces = fc.constantFrom("{{task_title}}", "{{task_result}}", "{{", "}}", "$&", "$1", "$$", '"', "<", ",", "x");
  const result = fc.array(fc.oneof(pieces, fc.string({ unit: "grapheme" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(result, (task_result) => {
      expect(renderTemplate("[{{task_result}}|{{task_result}}]", { ...values, task_result })).toBe(
        `[${task_result}|${task_result}]`,
      );
    }),
  );
});

test("text without placeholders is its own rendering", () => {
  fc.assert(
    fc.property(fc.string(), (body) => {
      fc.pre(!/\{\{\s*\w+\s*\}\}/.test(body));
      expect(renderTemplate(body, values)).toBe(body);
    }),
  );
});

test("a template contains the result at most ten times", () => {
  const template = (times: number) => ({ type: "Custom", body: "{{ task_result }}".repeat(times) });
  expect(outputTemplate.safeParse(template(10)).success).toBe(true);
  expect(outputTemplate.safeParse(template(11)).error?.issues).toMatchObject([{ path: ["body"] }]);
});
