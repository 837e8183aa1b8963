/** `deny` globs for hosts that want to hide the usual secrets. */
export const SECRET_FILES: readonly string[] = [
  ".env",
  ".env.*",
  "!.env.example",
  ".dev.vars",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "id_rsa",
  "id_ecdsa",
  "id_ed25519",
  ".npmrc",
  ".netrc",
  ".git-credentials",
  ".aws/",
  ".ssh/",
];
