// npm run dev: compiles on every change and restarts the service. Ctrl+C stops both.
import { spawn } from 'node:child_process';

const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let service;

// The compiler prints this when a compilation ends and dist/ is complete.
compiler.stdout.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text);
  if (text.includes('Watching for file changes'))
    service ??= spawn(process.execPath, ['--watch', '--watch-preserve-output', 'dist/main.js'], { stdio: 'inherit' });
});

function stop() {
  compiler.kill();
  service?.kill();
}
compiler.on('exit', stop);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
