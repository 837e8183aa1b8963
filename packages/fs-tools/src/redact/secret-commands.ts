/** Commands whose words, not options, are secrets. One line per program: add new ones here. */
const LOGINS =
  /^(?:(?:vault|cargo|wandb) login|snyk auth|bw unlock|ngrok(?: config)? (?:authtoken|add-authtoken)|cloudflared service install)$/;
const ASSIGNS = /^(?:\w+ secrets? set|\w+ config:set|vault kv put|kubectl create secret)(?: |$)/;

/** Whether the next word is a secret. */
export function takesSecret(words: readonly string[], flags: readonly string[]): boolean {
  if (words.length < 2) return false;
  if (words[0] === "htpasswd") {
    const short = flags.filter((flag) => /^-\w+$/.test(flag)).join("");
    // `-b [file] user password`
    return short.includes("b") && words.length >= (short.includes("n") ? 2 : 3);
  }
  return words.length <= 3 && LOGINS.test(words.join(" "));
}

/** Whether every `name=value` is a secret, whatever its name. */
export function assignsSecrets(words: readonly string[]): boolean {
  return words.length >= 2 && ASSIGNS.test(words.join(" "));
}
