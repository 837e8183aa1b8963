/**
 * Secrets recognizable by their shape, anywhere in a text. One line per issuer: add new ones here. Every pattern begins at a word's
 * start and either consumes a whole run or fails within a few characters, so matching is one pass.
 */
const SHAPES: readonly RegExp[] = [
  // Ours: scoped tokens, sessions and previews (packages/worker/src/auth/signed-claims.ts).
  /wss\.[\w-]{8,}\.[\w-]+/,
  // JSON Web Tokens and encrypted ones.
  /(?<!-)eyJ[\w-]{5,}(?:\.[\w-]*){1,4}/,
  // GitHub, GitLab, Bitbucket and Atlassian.
  /gh[opsur]_[A-Za-z0-9]{10,}/,
  /github_pat_\w{10,}/,
  /gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas|ffct)-[\w.-]{10,}/,
  /GR1348941[\w-]{10,}/,
  /AT(?:ATT3|BB|CTT3|SCTT3)[\w=-]{20,}/,
  // Package registries.
  /npm_[A-Za-z0-9]{10,}/,
  /pypi-[\w-]{10,}/,
  /rubygems_[0-9a-f]{16,}/,
  /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/,
  /oy2[a-z0-9]{43}(?![a-z0-9])/,
  /dckr_(?:pat|oat)_[\w-]{10,}/,
  /(?:nfp|sbp|figd|figdr|pnu|dsoa)_[A-Za-z0-9]{20,}/,
  // Models: OpenAI, Anthropic, OpenRouter, Hugging Face, Groq, xAI, Perplexity, Replicate, Fireworks, Tavily, Cohere.
  /sk-[\w-]{10,}/,
  /(?:hf|api_org)_[A-Za-z0-9]{10,}/,
  /(?:gsk|r8|fw)_[A-Za-z0-9]{20,}/,
  /(?:xai|pplx|tvly|nvapi)-[\w-]{20,}/,
  // Clouds: AWS, Google, DigitalOcean, Cloudflare, Azure, Databricks, Heroku, Fly, PlanetScale, Pulumi, Terraform.
  /(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}/,
  /AIza[\w-]{20,}/,
  /ya29\.[\w-]{10,}/,
  /GOCSPX-[\w-]{10,}/,
  /1\/\/0[\w-]{20,}/,
  /do[oprt]_v1_[0-9a-f]{16,}/,
  /v1\.0-[0-9a-f]{24}-[0-9a-f]{40,}/,
  /dapi[0-9a-f]{32}(?:-\d)?/,
  /HRKU-[\w-]{20,}/,
  /fm[12][ar]?_[\w+/=]{20,}/,
  /pscale_(?:tkn|pw|oauth)_[\w.-]{10,}/,
  /pul-[0-9a-f]{40}/,
  /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{20,}/,
  // Payment and messages: Stripe, Square, Shopify, Slack, Discord, Telegram, Twilio, SendGrid, Mailgun, Mailchimp.
  /(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{8,}/,
  /whsec_[\w+/=]{10,}/,
  /sq0(?:atp|csp|idp)-[\w-]{10,}/,
  /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{16,}/,
  /xox[a-z](?:\.xox[a-z])?-[\w-]{8,}/,
  /xapp-[\w-]{8,}/,
  /T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,}/,
  /[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/,
  /\d{8,10}:AA[\w-]{33}/,
  /(?:AC|SK)[0-9a-f]{32}(?![0-9a-f])/,
  /SG\.[\w-]{16,}\.[\w-]{16,}/,
  /key-[0-9a-f]{32}/,
  /[0-9a-f]{32}-us\d{1,2}(?!\d)/,
  // Tools: Vault, Doppler, Linear, Notion, Sentry, Grafana, New Relic, Postman, age, 1Password.
  /hv[bsr]\.[\w-]{20,}/,
  /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/,
  /lin_(?:api|oauth)_[A-Za-z0-9]{16,}/,
  /ntn_[A-Za-z0-9]{20,}/,
  /sntry[su]_[\w+/=-]{20,}/,
  /gl(?:sa|c)_[\w+/=]{20,}/,
  /NR(?:AK|JS|II)-[A-Za-z0-9]{16,}/,
  /PMAK-[0-9a-f]{20,}(?:-[0-9a-f]+)?/,
  /AGE-SECRET-KEY-1[A-Z0-9]{20,}/,
  /ops_eyJ[\w-]{20,}/,
];

export const SECRET_SHAPE = new RegExp(`(?<![A-Za-z0-9_])(?:${SHAPES.map(({ source }) => source).join("|")})`, "g");

/** PEM, OpenSSH and PGP; without an end marker the key extends to the end of the text. */
export const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
