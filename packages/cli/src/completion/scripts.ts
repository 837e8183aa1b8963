/**
 * What a shell is told once. Both scripts ask `wsx __complete` for each word, so they need not change when wsx does; `__complete`
 * answers one candidate a line, `\u0001file` when the shell's own files are wanted, and a directory ends in a slash.
 */
export const FILES = "\u0001file";

export function completionScript(shell: "bash" | "zsh"): string {
  return shell === "bash" ? BASH : ZSH;
}

/** Bash splits words at colons too; they are put together again before asking, and taken off the answers. */
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

/** Words are asked about as they mean, without their quotes; zsh quotes what it puts in. */
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
