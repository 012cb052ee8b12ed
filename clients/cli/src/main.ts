#!/usr/bin/env node
import { run } from './program/program.ts';

// A reader that ends early, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
const { stdin: input, stdout: output, stderr: errors, env } = process;
process.exitCode = await run(process.argv.slice(2), { input, output, errors, env });
