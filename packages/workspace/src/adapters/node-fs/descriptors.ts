/** Node's functions on file descriptors, with callbacks: a table maps each descriptor to a handle. */
import { type FileHandle, FsError } from "@workspace/vfs";
import { type CallbackVerb, callbackOf, callbackVerb, settle } from "./callbacks.ts";

type Open = (path: unknown, flags?: string | number, mode?: number) => Promise<FileHandle>;
type View = ArrayBufferView;

/** The first three belong to the process. */
const FIRST = 3;

export function descriptorVerbs(
  open: Open,
): Record<"open" | "close" | "read" | "write" | "fstat" | "fsync" | "fdatasync" | "ftruncate", CallbackVerb> {
  const handles = new Map<number, FileHandle>();
  let next = FIRST;
  const handleOf = (fd: unknown, syscall: string) => {
    const handle = handles.get(fd as number);
    if (handle === undefined) throw new FsError("EBADF", { syscall });
    return handle;
  };
  const verb = (name: string, run: (handle: FileHandle, ...args: never[]) => Promise<unknown>) =>
    callbackVerb(name, async (fd, ...args) => run(handleOf(fd, name), ...(args as never[])));
  return {
    open: callbackVerb("open", async (path, flags, mode) => {
      handles.set(next, await open(path, flags as string, mode as number));
      return next++;
    }),
    close: (fd: unknown, ...rest: unknown[]) => {
      // Node allows `close` without a callback.
      const callback = rest.length === 0 ? () => {} : callbackOf("close", rest);
      const close = async () => {
        const handle = handleOf(fd, "close");
        handles.delete(fd as number);
        await handle.close();
      };
      settle(close(), callback, () => []);
    },
    read: (fd: unknown, ...args: unknown[]) => {
      const callback = callbackOf("read", args);
      const read = async () => {
        const [buffer, offset, length, position] = args.slice(0, -1) as [View, number?, number?, (number | null)?];
        return handleOf(fd, "read").read(buffer, offset, length, position);
      };
      settle(read(), callback, ({ bytesRead, buffer }) => [bytesRead, buffer]);
    },
    write: (fd: unknown, ...args: unknown[]) => {
      const callback = callbackOf("write", args);
      const write = async () => {
        const [data, ...where] = args.slice(0, -1) as [View, number?, number?, (number | null)?];
        return handleOf(fd, "write").write(data, ...where);
      };
      settle(write(), callback, ({ bytesWritten, buffer }) => [bytesWritten, buffer]);
    },
    fstat: verb("fstat", (handle) => handle.stat()),
    fsync: verb("fsync", (handle) => handle.sync()),
    fdatasync: verb("fdatasync", (handle) => handle.datasync()),
    ftruncate: verb("ftruncate", (handle, length?: number) => handle.truncate(length)),
  };
}
