/**
 * The file that stores the daemon's secret, readable only by its user. The first start creates it and later starts reuse it, so
 * that the workspace's settings stay valid.
 */
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";

const MIN_LENGTH = 32;

export function readSecretFile(path: string): string {
  try {
    const secret = Buffer.from(randomBytes(32)).toString("hex");
    writeFileSync(path, `${secret}\n`, { flag: "wx", mode: 0o600 });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, uid } = fstatSync(fd);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || (mode & 0o077) !== 0 || uid !== process.getuid?.())
      throw new Error(`${path} must be a file of this user that no other user can read: chmod 600, or remove it`);
    const secret = readFileSync(fd, "utf8").trim();
    if (secret.length < MIN_LENGTH)
      throw new Error(`the secret in ${path} must have at least ${MIN_LENGTH} characters`);
    return secret;
  } finally {
    closeSync(fd);
  }
}
