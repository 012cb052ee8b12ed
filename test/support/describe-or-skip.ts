/**
 * `describe` for suites that need a file, server or browser. With a `skipReason`, the body does not run; one skipped test
 * shows the reason, which also goes to standard error, because Jest hides skipped tests without `--verbose`.
 */
export function describeOrSkip(skipReason: string | undefined): (title: string, body: () => void) => void {
  if (skipReason === undefined) return (title, body) => describe(title, body);
  return (title) => {
    process.stderr.write(`SKIPPED ${title}: ${skipReason}\n`);
    describe.skip(title, () => it(`is skipped: ${skipReason}`, () => undefined));
  };
}
