/**
 * The completion scripts of the shells. Both call `wsx __complete` for each word, so they need not change when wsx does.
 * `__complete` prints one candidate per line, `\u0001file` to request the shell's own file completion, and a trailing slash for a
 * directory.
 */
export const FILES = "\u0001file";

export function completionScript(shell: "bash" | "zsh"): string {
  return shell === "bash" ? BASH : ZSH;
}

/** Bash splits words at colons too; the script joins them before the call, and strips them from the candidates. */
const BASH = `# wsx completion for bash: eval "$(wsx completion bash)"
_wsx() {
  local line=\${COMP_LINE:0:$COMP_POINT} IFS=$' \\t\\n' current candidate
  local -a words
  read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == $'\\001file' ]]; then
      compopt -o default -o filenames 2>/dev/null
      return
    fi
    # What stands before the last colon is on the line already.
    [[ $current == *[:=]* ]] && candidate=\${candidate#"\${current%"\${current##*[:=]}"}"}
    [[ $candidate == */ || $candidate == *= || $candidate == *: ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("$candidate")
  done < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
}
complete -F _wsx wsx
`;

/** Passes words without their quotes; zsh quotes what it inserts. */
const ZSH = `#compdef wsx
# wsx completion for zsh: eval "$(wsx completion zsh)"
_wsx() {
  local -a found plain open
  found=("\${(@f)$(\${words[1]} __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${found[1]} == $'\\001file' ]]; then
    _files
    return
  fi
  plain=(\${found:#*[/=:]})
  open=(\${(M)found:#*[/=:]})
  (( \${#plain} )) && compadd -- "\${plain[@]}"
  (( \${#open} )) && compadd -S '' -- "\${open[@]}"
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _wsx wsx
`;
