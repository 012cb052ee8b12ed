/**
 * `describe` for what a machine may lack (a file, a database server, a browser): where `condition` is false, one skipped
 * test carries the suite's title and the reason, and both are written to standard error, which Jest shows without
 * `--verbose`, too. The body does not run then, so it may open what is missing.
 */
export function describeIf(condition: boolean, reason: string): (title: string, body: () => void) => void {
  if (condition) return (title, body) => describe(title, body);
  return (title) => {
    process.stderr.write(`SKIPPED ${title}: ${reason}\n`);
    describe.skip(title, () => it(`is skipped: ${reason}`, () => undefined));
  };
}
