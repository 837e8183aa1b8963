/** Runs a program's `main(argv)` and ends with its exit code, after everything it printed was passed on. */
export async function runMain(main) {
  const code = await main(process.argv.slice(2));
  // `exit` drops what a pipe has not taken yet, and open connections would keep the process alive without it.
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
}

/** Resolves when the stream has passed on everything, or cannot any more. */
function flushed(stream) {
  return new Promise((done) => {
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write("", () => done());
  });
}
