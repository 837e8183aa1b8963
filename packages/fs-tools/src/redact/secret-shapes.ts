/**
 * Secrets recognizable by their shape, anywhere in a text. One line per issuer: add new ones here. Every pattern begins at a word's
 * start and either consumes a whole run or fails within a few characters, so matching is one pass.
 */
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

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
  // More clouds: Azure, Alibaba, Tencent, Cloudflare, Supabase, Neon, Render, Tailscale, Dropbox, Facebook, OpenShift.
  /[\w~.-]{3}8Q~[\w~.-]{34}/,
  /LTAI[A-Za-z0-9]{12,}/,
  /AKID[A-Za-z0-9]{32}/,
  /cf[ua]t_[\w-]{20,}/,
  /sb_secret_[\w-]{20,}/,
  /(?:napi|rnd)_[A-Za-z0-9]{20,}/,
  /tskey-[a-z]+-[\w-]{16,}/,
  /sl\.[\w-]{60,}/,
  /EAA[A-Za-z0-9]{60,}/,
  /sha256~[\w-]{43}/,
  // More builds and packages: Artifactory, Clojars, Buildkite, CircleCI, Sonar, Infracost, Sourcegraph, LaunchDarkly.
  /AKCp[A-Za-z0-9]{60,}/,
  /CLOJARS_[0-9a-f]{40,}/,
  /bkua_[0-9a-f]{20,}/,
  /CCIPAT_\w{40,}/,
  /sq[aup]_[0-9a-f]{40}/,
  /ico-[A-Za-z0-9]{32}/,
  /sgp_(?:[0-9a-f]{16}_)?[0-9a-f]{40}/,
  new RegExp(`(?:sdk|api|mob)-${UUID}`),
  // More models and data: LangSmith, Pinecone, Together, E2B, Jina, Firecrawl, LlamaCloud, DeepL, Airtable, Mapbox, Adafruit.
  /lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}/,
  /pcsk_\w{30,}/,
  /tgp_v1_[\w-]{30,}/,
  /e2b_[0-9a-f]{30,}/,
  /jina_\w{40,}/,
  /fc-[0-9a-f]{32}/,
  /llx-[A-Za-z0-9]{40,}/,
  new RegExp(`${UUID}:fx`),
  /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/,
  /sk\.eyJ[\w-]{20,}\.[\w-]{10,}/,
  /aio_[A-Za-z0-9]{28}/,
  // More services: Contentful, Dynatrace, EasyPost, Flutterwave, Grafana, HubSpot, Notion, ReadMe, Brevo, Shippo, Typeform, Resend.
  /CFPAT-[\w-]{30,}/,
  /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{40,}/,
  /EZ[AT]K[A-Za-z0-9]{40,}/,
  /FLWSECK(?:_TEST)?-[\w-]{20,}/,
  /eyJrIjoi[A-Za-z0-9+/=]{40,}/,
  new RegExp(`pat-[a-z]{2}\\d-${UUID}`),
  /secret_[A-Za-z0-9]{40,}/,
  /rdme_[A-Za-z0-9]{40,}/,
  /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/,
  /shippo_(?:live|test)_[0-9a-f]{40}/,
  /tfp_[\w-]{40,}/,
  /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}/,
  // Others: Honeycomb, OneSignal, Plaid, PostHog, StackHawk, WakaTime, and private keys in base64.
  /hca?[ir]k_[A-Za-z0-9]{40,}/,
  /os_v2_(?:app|org)_[A-Za-z0-9]{60,}/,
  new RegExp(`access-(?:sandbox|development|production)-${UUID}`),
  /phx_[A-Za-z0-9]{30,}/,
  /hawk\.[A-Za-z0-9-]{16,}\.[A-Za-z0-9-]{16,}/,
  new RegExp(`waka_(?:sec_)?${UUID}`),
  /LS0tLS1CRUdJTi[A-Za-z0-9+/=]{40,}/,
];

export const SECRET_SHAPE = new RegExp(`(?<![A-Za-z0-9_])(?:${SHAPES.map(({ source }) => source).join("|")})`, "g");

/** PEM, OpenSSH, PGP and PuTTY; without an end marker the key extends to the end of the text. */
export const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)|Private-Lines: ?\d+[\s\S]*?(?:Private-MAC: ?\w+|$)/g;
