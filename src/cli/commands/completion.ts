import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";

// Each script asks `muster complete …` for the words that may follow. No shell may evaluate them: they hold names that
// other people gave.
const SCRIPTS = {
  bash: `_muster() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$(printf %q "$word")"); done \\
    < <(muster complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _muster muster`,
  zsh: `#compdef muster
_muster() {
  local -a found
  found=("\${(@f)$(muster complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _muster muster`,
  fish: `complete -c muster -f -a '(muster complete-described (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
} as const;

/** `muster completion` */
export default defineCommand({
  summary: "Print a script that completes commands, options and names with Tab",
  examples: [
    "completion bash >> ~/.bashrc",
    "completion zsh >> ~/.zshrc",
    "completion fish > ~/.config/fish/completions/muster.fish",
  ],
  args: { shell: { type: "positional", options: ["bash", "zsh", "fish"], description: "bash, zsh or fish" } },
  run({ shell }) {
    createOutput(process.stdout, process.stderr).line(SCRIPTS[shell]);
    return Promise.resolve(EXIT.ok);
  },
});
