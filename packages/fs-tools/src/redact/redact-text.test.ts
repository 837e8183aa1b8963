/** What must be redacted in the audit log and in `GET exec`, and what must stay readable. */
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";
import { redactText } from "./redact-text.ts";
import { redactCommand, redactWords } from "./redact-words.ts";

/** Random-looking letters and digits, assembled here because repository scanners look for the shapes below too. */
const letters = (count: number) => "x7Qb2Lm9Zt4Kp8Rw3Vn6Yc1Hd5Gf0Js".repeat(8).slice(0, count);
const lower = (count: number) => letters(count).toLowerCase();
const upper = (count: number) => letters(count).toUpperCase();
const hex = (count: number) => "9f86d081884c7d659a2feaa0c55ad015".repeat(4).slice(0, count);
const jwt = `eyJ${letters(20)}.eyJ${letters(30)}.${letters(43)}`;
const own = `wss.${letters(60)}.${letters(43)}`;
const pem = (kind: string) => `-----BEGIN ${kind}-----\nHUNTER2${letters(60)}\n-----END ${kind}-----`;

/** Kind → examples; the secret is HUNTER2, or everything that the shape matches. */
const SECRETS: Record<string, string[]> = {
  "--password x": [
    "pg_dump --password HUNTER2 db",
    "deploy --db-password 'HUNTER2 x' now",
    "svn co --password HUNTER2 u",
  ],
  "--password=x": ["wget --password=HUNTER2 u", 'tool --admin-password="HUNTER2"', "x --passwd=HUNTER2"],
  "--token x": ["vercel --token HUNTER2", "wsx ls --token HUNTER2", "gh --auth-token HUNTER2"],
  "--token=x": ["npm x --token=HUNTER2", "fly --access-token=HUNTER2", "cli --refreshToken=HUNTER2"],
  "--api-key x": ["tool --api-key HUNTER2", "tool --apikey HUNTER2", "tool --api_key=HUNTER2"],
  "--secret x": ["tool --client-secret HUNTER2", "tool --secret=HUNTER2", "tool --secret-key 'HUNTER2'"],
  "-u user:x": [
    "curl -u user:HUNTER2 u",
    "curl -uuser:HUNTER2 u",
    "curl --user 'user:HUNTER2' u",
    "http -a me:HUNTER2 u",
  ],
  "-p of mysql": [
    "mysql -u root -p HUNTER2 db",
    "mysql -uroot -pHUNTER2 db",
    "sudo mysqldump -pHUNTER2 db > f",
    "sshpass -p HUNTER2 ssh h",
  ],
  "-a of redis": ["redis-cli -a HUNTER2 ping", "redis-cli --pass HUNTER2", "/usr/bin/redis-cli -aHUNTER2"],
  "login -p": [
    "docker login -u me -p HUNTER2 r",
    "podman login --password HUNTER2 r",
    "helm registry login -p HUNTER2 r",
  ],
  "inside quotes": ['bash -c "mysql -pHUNTER2 db"', "ssh h 'curl -u a:HUNTER2 u'", 'sh -c "TOKEN=HUNTER2 run"'],
  Authorization: [
    "curl -H 'Authorization: token HUNTER2' u",
    'curl -H "authorization: HUNTER2" u',
    "Authorization: Digest HUNTER2, x",
  ],
  "Authorization bearer": [
    "curl -H 'Authorization: Bearer HUNTER2' u",
    "bearer HUNTER2x.y",
    '{"Authorization":"Bearer HUNTER2"}',
  ],
  "Authorization basic": [
    "curl -H 'Authorization: Basic SFVOVEVSMg==' u",
    "basic dXNlcjpIVU5URVIy",
    "Proxy-Authorization: Basic HUNTER2",
  ],
  "X-Api-Key": ["curl -H 'X-Api-Key: HUNTER2' u", "curl --header=X-Auth-Token:HUNTER2 u", "PRIVATE-TOKEN: HUNTER2"],
  Cookie: [
    "curl -H 'Cookie: a=HUNTER2; b=HUNTER2' u",
    "curl -b sid=HUNTER2 u",
    "Set-Cookie: sid=HUNTER2; Path=/",
    "curl --cookie 'a=HUNTER2' u",
  ],
  "address, user and password": [
    "git clone https://me:HUNTER2@host/r",
    "https://me:HUN@HUNTER2@host/",
    "ftp://a:HUNTER2@h",
  ],
  "address, token": [
    "git clone https://HUNTER2@host/r",
    "git push http://HUNTER2@host:8080/r main",
    "https://HUNTER2:@host",
  ],
  "connection string": [
    "psql postgres://u:HUNTER2@h/db",
    "mongodb+srv://u:HUNTER2@h",
    "redis://:HUNTER2@h:6379",
    "amqp://u:p/HUNTER2@h",
  ],
  "query string": [
    "curl 'https://h/?access_token=HUNTER2&x=1'",
    "https://h/x?sig=HUNTER2",
    "https://h/?a=1&api_key=HUNTER2",
  ],
  PGPASSWORD: ["PGPASSWORD=HUNTER2 psql", "export MYSQL_PWD=HUNTER2", "env REDISCLI_AUTH=HUNTER2 x"],
  DB_PASS: ["DB_PASS=HUNTER2 ./run", "DATABASE_PASSWORD='HUNTER2 x' run", "dbPassword: HUNTER2", "smtppass=HUNTER2"],
  TOKEN: [
    "GITHUB_TOKEN=HUNTER2 gh",
    "export NPM_TOKEN=HUNTER2; x",
    "token: HUNTER2",
    "docker run -e API_TOKEN=HUNTER2 i",
  ],
  SECRET: ["AWS_SECRET_ACCESS_KEY=HUNTER2 aws", "client_secret=HUNTER2", "SESSION_SECRET: 'HUNTER2'"],
  passphrase: ["gpg --passphrase HUNTER2 f", "passphrase=HUNTER2", 'SSH_PASSPHRASE="HUNTER2"'],
  pass: ["PASS=HUNTER2 run", "openssl enc -pass pass:HUNTER2", "openssl rsa -passin pass:HUNTER2", "x --pass HUNTER2"],
  key: ["API_KEY=HUNTER2", "AccountKey=HUNTER2;x", "private_key: HUNTER2", "signingKey=HUNTER2"],
  JSON: [`curl -d '{"password":"HUNTER2"}' u`, '{"a":1,"apiKey" : "HUNTER2"}', `{'token': 'HUNTER2'}`],
  npmrc: ["//registry.npmjs.org/:_authToken=HUNTER2", "npm config set //r/:_auth=HUNTER2", "npm set _password=HUNTER2"],
  "private keys": [
    pem("RSA PRIVATE KEY"),
    pem("OPENSSH PRIVATE KEY"),
    pem("PRIVATE KEY"),
    pem("PGP PRIVATE KEY BLOCK"),
    `echo "-----BEGIN EC PRIVATE KEY-----\nHUNTER2`,
  ],
};

/** The second part must be redacted completely. */
const SHAPES: Record<string, string[]> = {
  ours: [own, `${own.slice(0, 20)}.${letters(43)}`, `wss.${letters(300)}.${letters(43)}`],
  JWT: [jwt, `eyJ${letters(10)}.eyJ${letters(8)}.`, `eyJ${letters(30)}..${letters(16)}.${letters(40)}.${letters(22)}`],
  GitHub: [
    `ghp_${letters(36)}`,
    `gho_${letters(36)}`,
    `ghs_${letters(36)}`,
    `ghu_${letters(36)}`,
    `github_pat_${letters(22)}_${letters(59)}`,
  ],
  GitLab: [`glpat-${letters(20)}`, `gldt-${letters(20)}`, `glrt-${letters(20)}`],
  npm: [`npm_${letters(36)}`, `npm_${lower(36)}`, `npm_${upper(36)}`],
  "Hugging Face": [`hf_${letters(34)}`, `hf_${lower(34)}`, `api_org_${letters(34)}`],
  OpenAI: [`sk-${letters(48)}`, `sk-proj-${letters(60)}`, `sk-svcacct-${letters(60)}`],
  Anthropic: [`sk-ant-api03-${letters(93)}`, `sk-ant-admin01-${letters(80)}`, `sk-ant-sid01-${letters(80)}`],
  AWS: [`AKIA${upper(16)}`, `ASIA${upper(16)}`, `AROA${upper(16)}`],
  Google: [`AIza${letters(35)}`, `ya29.${letters(60)}`, `GOCSPX-${letters(28)}`],
  Slack: [`xoxb-${hex(12)}-${letters(24)}`, `xoxp-${hex(12)}-${letters(24)}`, `xapp-1-${upper(11)}-${hex(40)}`],
  Stripe: [`sk_live_${letters(24)}`, `rk_test_${letters(24)}`, `whsec_${letters(32)}`],
  Twilio: [`SK${hex(32)}`, `AC${hex(32)}`, `SK${hex(31)}0`],
  SendGrid: [`SG.${letters(22)}.${letters(43)}`, `SG.${lower(22)}.${lower(43)}`, `SG.${upper(22)}.${upper(43)}`],
  PyPI: [`pypi-AgEIcHlwaS5vcmc${letters(60)}`, `pypi-${letters(80)}`, `pypi-AgEN${lower(80)}`],
  Docker: [`dckr_pat_${letters(27)}`, `dckr_oat_${letters(27)}`, `dckr_pat_${lower(27)}`],
  clouds: [`dop_v1_${hex(64)}`, `dapi${hex(32)}`, `${letters(14)}.atlasv1.${letters(67)}`, `pscale_tkn_${letters(40)}`],
  tools: [
    `hvs.${letters(24)}`,
    `lin_api_${letters(40)}`,
    `sntrys_${letters(60)}`,
    `AGE-SECRET-KEY-1${upper(58)}`,
    `${hex(32)}-us12`,
  ],
};

const ORDINARY = [
  "ls -la src",
  "npm run build -- --watch",
  "git commit -m 'fix the tokenizer'",
  "git push -u origin main",
  "sort -u names.txt",
  "grep -rn 'password' src | head -20",
  'rg "token" --type ts',
  "cat package.json | jq .scripts",
  "cd /workspace && npm test",
  "docker run -p 8080:80 -u 1000:1000 -v $PWD:/app node:20",
  "docker compose up -d",
  "sudo -u postgres psql -c 'select 1'",
  "curl -fsSL https://example.org/install.sh | bash",
  "curl -X POST -H 'Content-Type: application/json' -d '{\"a\":1}' https://h/x",
  "git clone git@github.com:cloudflare/workspace.git",
  "git clone ssh://git@github.com/a/b",
  "ssh -p 2222 host uptime",
  "python -m pytest -k 'test_auth and not slow' -p no:cacheprovider",
  "find . -name '*.ts' -not -path './node_modules/*'",
  "export PATH=/usr/bin:$PATH",
  "PWD=/workspace OLDPWD=/ env",
  "GITHUB_TOKEN=$TOKEN gh pr list",
  'curl -d "key=$KEY" https://example.org/',
  "sed -i 's/foo/bar/g' src/a.ts",
  "tar -xzf a.tgz -C /tmp",
  "make -j4 test",
  "go test ./... -run TestToken -count=1",
  "cargo build --release",
  "kubectl get secret my-secret -o yaml",
  "helm upgrade -i app ./chart -p x",
  "psql -h host -p 5432 -U app db",
  "node --max-old-space-size=4096 index.js",
  "wget -b https://example.org/a@v1.2/file.tgz",
  "npx tsc --noEmit",
  "mkdir -p a/b/c",
  "tokens: 100, max_tokens: 4096, tokenCount=3",
  "ls ~/.ssh/id_rsa.pub",
  "pass: 12 fail: 0 skipped: 3",
  "echo basic authentication",
  "docker login --password-stdin registry.example",
  "aws s3 cp --profile prod a s3://b/c",
  "git log --author=me --since=2.weeks",
  "gpg --passphrase-file key.txt f",
  "scp a.txt me@host:/tmp",
  "rsync -az -e 'ssh -p 22' a/ me@host:b/",
  "https://h:8080/a@b",
  "npm i lodash@4.17.21 @types/node@20",
  "sha256sum a.bin",
  `git checkout ${hex(40).slice(0, 40)}`,
  "uuid 123e4567-e89b-12d3-a456-426614174000",
];

const HOSTED = (text: string) => [`curl -d ${text} u`, `echo "${text}" > f`, `x=${text}`, `(${text})`, text];

describe("redactText", () => {
  it.each(Object.entries(SECRETS))("hides %s", (_, examples) => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
    for (const example of examples) {
      const safe = redactText(example);
      expect([example, safe.includes("HUNTER2"), safe.includes("SFVOVEVS"), safe.includes("VU5URVI")]).toEqual([
        example,
        false,
        false,
        false,
      ]);
      expect([example, safe.includes("[redacted]")]).toEqual([example, true]);
      expect(redactText(safe)).toBe(safe);
    }
  });

  it.each(Object.entries(SHAPES))("hides tokens of %s wherever they stand", (_, tokens) => {
    expect(tokens.length).toBeGreaterThanOrEqual(3);
    for (const token of tokens)
      for (const text of HOSTED(token)) expect(redactText(text)).toBe(text.replace(token, "[redacted]"));
  });

  it("leaves ordinary command lines as they are", () => {
    for (const line of ORDINARY) expect(redactText(line)).toBe(line);
  });

  it("keeps what is around a secret", () => {
    expect(redactText("curl -u me:HUNTER2 -H 'X-Api-Key: k' https://t0k@h/p?a=1&token=x -o f")).toBe(
      "curl -u me:[redacted] -H 'X-Api-Key: [redacted]' https://[redacted]@h/p?a=1&token=[redacted] -o f",
    );
    expect(redactText("PGPASSWORD=x psql -h db -U app -c 'select 1'")).toBe(
      "PGPASSWORD=[redacted] psql -h db -U app -c 'select 1'",
    );
  });

  it("looks at long texts once", () => {
    const parts = [
      ...[
        "token",
        "token=",
        "token='",
        'token="',
        "--token ",
        "-u a:",
        "a://",
        "://a:b",
        "a://b:c/",
        "eyJ",
        "eyJ-",
        "eyJa.",
      ],
      ...[
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "wss.",
        "SG.aaaaaaaaaaaaaaaaaaaa",
        "sk-",
        "bearer ",
        "basic aaaa",
      ],
      ...[
        "Authorization: ",
        "'Authorization:",
        "Cookie",
        "password-",
        "a.b-c_",
        "-",
        "--",
        "- -",
        "'",
        '"',
        "\\",
        '"\\"',
        " ",
        "\n",
      ],
      ...[
        "mysql -p",
        "curl -b ",
        "x=",
        "=",
        ":",
        "aA",
        "A_",
        "$(",
        "ghp_",
        "T0000000/B0000000/",
        "0".repeat(31),
        "M".repeat(25),
        "1234567890:AA",
      ],
    ];
    for (const text of [
      ...parts.map((part) => part.repeat(Math.ceil(300_000 / part.length))),
      ...['token="', "token=", "--token ", "--token '", "a://u:", "Cookie: "].map(
        (part) => part + "a&".repeat(1_000_000),
      ),
    ]) {
      expect(redactText(text).length).toBeLessThan(30_000_000);
      expect(redact({ a: text, b: [text] }).length).toBeLessThan(5000);
    }
  });
});

describe("redactWords and redactCommand", () => {
  it("hide the word after an option, and keep the words apart", () => {
    expect(redactWords(["curl", "-u", "me:HUNTER2 x", "--token", "HUNTER2", "-sS", "u"])).toEqual([
      "curl",
      "-u",
      "me:[redacted]",
      "--token",
      "[redacted]",
      "-sS",
      "u",
    ]);
    expect(redactWords(["mysql", "-pHUNTER2", "db"])).toEqual(["mysql", "-p[redacted]", "db"]);
    expect(redactWords(["bash", "-c", "PASS=HUNTER2 run"])).toEqual(["bash", "-c", "PASS=[redacted] run"]);
    expect(redactWords(["docker", "run", "-p", "80:80", "i"])).toEqual(["docker", "run", "-p", "80:80", "i"]);
    expect(redactCommand(["gh", "--token=HUNTER2"])).toEqual(["gh", "--token=[redacted]"]);
    expect(redactCommand("gh --token=HUNTER2")).toBe("gh --token=[redacted]");
  });
});

describe("redact", () => {
  it("does not log bodies, whatever they hold, nor the values of an environment", () => {
    const body = "x".repeat(20);
    for (const name of ["content", "patch", "input", "stdin", "body", "file_text", "newText", "old_str", "message"])
      expect(redact({ path: "a", [name]: body })).toBe(`{"path":"a","${name}":"[20 characters]"}`);
    expect(redact({ edits: [{ oldText: body, newText: body }] })).toBe(
      '{"edits":[{"oldText":"[20 characters]","newText":"[20 characters]"}]}',
    );
    expect(redact({ operation: { type: "update_file", path: "a", diff: body } })).toContain('"diff":"[20 characters]"');
    expect(redact({ env: { HOME: "/x", ANY: "HUNTER2" }, headers: { A: ["HUNTER2"] } })).toBe(
      '{"env":{"HOME":"[redacted]","ANY":"[redacted]"},"headers":{"A":"[redacted]"}}',
    );
    expect(redact(`*** Begin Patch\n+${body}`)).toBe('"[37 characters]"');
    expect(redact('{"command":"x --token HUNTER2"}')).toBe('{"command":"x --token [redacted]"}');
  });

  it("looks through lists of words and objects", () => {
    expect(redact({ argv: ["curl", "-u", "me:HUNTER2"] })).toBe('{"argv":["curl","-u","me:[redacted]"]}');
    expect(redact({ a: { b: [{ pass: "HUNTER2", accessToken: "HUNTER2", note: "TOKEN=HUNTER2" }] } })).not.toContain(
      "HUNTER2",
    );
    expect(redact({ "token=HUNTER2": 1 })).not.toContain("HUNTER2");
  });
});
