// Loaded before dist/cli.js with `node --require`. Kills `backup restore` before the step KILL_AT: `rename NAME`, `link` or
// `rm NAME` in the folder WATCHED, a statement that renames tables or drops a database, a program of the database, or `reconcile`.
const fs = require('node:fs');
const path = require('node:path');
const { DataSource } = require('typeorm');
const { KILL_AT, WATCHED } = process.env;

const load = (file) => require(path.join(process.cwd(), 'dist', file));

function killBefore(target, method, stepOf) {
  const original = target[method];
  target[method] = function callOrDie(...args) {
    if (stepOf(...args) === KILL_AT) {
      process.kill(process.pid, 'SIGKILL');
      for (;;);
    }
    return original.apply(this, args);
  };
}

const watched = (label, file) => (String(file).startsWith(WATCHED) ? label : undefined);
killBefore(fs, 'renameSync', (_from, to) => watched(`rename ${path.basename(to)}`, to));
killBefore(fs, 'linkSync', (_from, to) => watched('link', to));
// The same folder is removed first, if an earlier restore has left it.
killBefore(fs, 'rmSync', (file) => (fs.existsSync(file) ? watched(`rm ${path.basename(file)}`, file) : undefined));
killBefore(DataSource.prototype, 'query', (sql) => /^(?:DROP|RENAME)/.exec(sql)?.[0]);
killBefore(load('infrastructure/backup/mysql-programs.js').MysqlPrograms.prototype, 'run', (program) => program);
killBefore(
  load('application/registrar/reconciliation/reconcile-restored.js').ReconcileRestored.prototype,
  'execute',
  () => 'reconcile',
);
