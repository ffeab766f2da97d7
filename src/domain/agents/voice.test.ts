import * as fc from "fast-check";
import { expect, test } from "vitest";
import { VOICE_TONES, voiceSection } from "./voice.ts";

const text = fc.string({ unit: "grapheme" });

test("a section has the tone, the instructions and the format hints, in this order", () => {
  const profile = { tone: "Casual", custom_instructions: "No jargon.\n", output_format_hints: "Short lines." } as const;
  expect(voiceSection(profile)).toBe("## Voice & Tone\n\nTone: Casual\n\nNo jargon.\n\nOutput format: Short lines.");
});

test("absent and blank parts are omitted", () => {
  const bare = "## Voice & Tone\n\nTone: Custom";
  expect(voiceSection({ tone: "Custom" })).toBe(bare);
  expect(voiceSection({ tone: "Custom", custom_instructions: " \n", output_format_hints: "" })).toBe(bare);
});

test("the section contains any parts unchanged and in order", () => {
  fc.assert(
    fc.property(fc.constantFrom(...VOICE_TONES), text, text, (tone, custom_instructions, output_format_hints) => {
      let rest = voiceSection({ tone, custom_instructions, output_format_hints });
      for (const part of ["## Voice & Tone", `Tone: ${tone}`, custom_instructions.trim(), output_format_hints.trim()]) {
        expect(rest).toContain(part);
        rest = rest.slice(rest.indexOf(part) + part.length);
      }
    }),
  );
});
