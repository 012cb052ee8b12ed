// Writes docs/clients/cli.md from the command line in clients/cli.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

execFileSync(process.execPath, ['scripts/build-cli.mjs'], { stdio: 'inherit' });
const { referencePage } = await import('../clients/cli/dist/cli/src/reference.js');
const { COMMANDS } = await import('../clients/cli/dist/cli/src/commands/commands.js');
writeFileSync('docs/clients/cli.md', referencePage(COMMANDS));
