export { FS_ERROR_CODES, type FsErrorCode, isFsErrorCode } from "./error-codes.ts";
