import { z } from "zod";
import { savedVoiceCreate, savedVoicePatch } from "#domain/agents/voice.ts";
import type { Api } from "../shape/route.ts";
import { SELECTED, addSaved } from "./saved.ts";
import type { SavedResource } from "./saved.ts";

/** Adds /console/api/voice-profiles: voices that agents share. */
export default function addVoiceProfiles(api: Api): void {
  addSaved(api, voiceProfiles);
}

/** The view `voice_profile_records` renders its records. */
const voiceProfiles: SavedResource = {
  of: "voice_profile",
  tag: "Voice and templates",
  path: "/console/api/voice-profiles",
  name: "VoiceProfile",
  noun: "voice profile",
  effects: SELECTED,
  create: savedVoiceCreate,
  patch: savedVoicePatch,
  record: z
    .strictObject({
      id: z.uuid(),
      workspace_id: z.uuid(),
      ...savedVoicePatch.required().shape,
      created_by: z.uuid().nullable(),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
    })
    .meta({ id: "VoiceProfile" }),
};
