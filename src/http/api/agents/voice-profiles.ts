import { savedVoiceCreate, savedVoicePatch } from "#domain/agents/voice.ts";
import type { Api } from "../shape/route.ts";
import { SELECTED, addSaved } from "./saved.ts";
import type { SavedResource } from "./saved.ts";

/** Adds /console/api/voice-profiles: voices that agents share. */
export default function addVoiceProfiles(api: Api): void {
  addSaved(api, voiceProfiles);
}

const voiceProfiles: SavedResource = {
  of: "voice_profile",
  tag: "Voice and templates",
  path: "/console/api/voice-profiles",
  name: "VoiceProfile",
  noun: "voice profile",
  effects: SELECTED,
  create: savedVoiceCreate,
  patch: savedVoicePatch,
  shows: savedVoicePatch.required().shape,
};
