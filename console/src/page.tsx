import "./ui/tokens.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Visit } from "./features/visit/visit.tsx";

// The page of an agent, for its visitors: a document of its own, without what only the console needs.
setNonce(document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "");

const root = document.getElementById("root");
if (root === null) throw new Error("page.html has no element with the id root.");
const [, slug = ""] = /^\/p\/([^/]+)/.exec(location.pathname) ?? [];
createRoot(root).render(
  <StrictMode>
    <Visit slug={decodeURIComponent(slug)} />
  </StrictMode>,
);
