/** Runs a program's `main(argv)` and exits with its exit code, after its output is flushed. */
export async function runMain(main) {
  const code = await main(process.argv.slice(2));
  // `exit` drops unflushed pipe output; without `exit`, open connections would keep the process alive.
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
}

/** Resolves when the stream is flushed, or broken. */
function flushed(stream) {
  return new Promise((done) => {
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write("", () => done());
  });
}
