// Loaded before dist/cli.js with `node --require`. Kills `backup restore` before the step KILL_AT: `rename NAME`, `link` or
// `rm NAME` in the folder WATCHED, a statement that renames tables or drops a database, a program of the database, or `reconcile`; or
// during an import: `client RUN:OCTETS` after so many octets of the input of that run, `copy RUN:OCTETS` after so many of that file.
const fs = require('node:fs');
const path = require('node:path');
const { Transform } = require('node:stream');
const { DataSource } = require('typeorm');
const { KILL_AT, WATCHED } = process.env;

const load = (file) => require(path.join(process.cwd(), 'dist', file));

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function killBefore(target, method, stepOf) {
  const original = target[method];
  target[method] = function callOrDie(...args) {
    if (stepOf(...args) === KILL_AT) die();
    return original.apply(this, args);
  };
}

const watched = (label, file) => (String(file).startsWith(WATCHED) ? label : undefined);
killBefore(fs, 'renameSync', (_from, to) => watched(`rename ${path.basename(to)}`, to));
killBefore(fs, 'linkSync', (_from, to) => watched('link', to));
// The same folder is removed first, if an earlier restore has left it.
killBefore(fs, 'rmSync', (file) => (fs.existsSync(file) ? watched(`rm ${path.basename(file)}`, file) : undefined));
killBefore(DataSource.prototype, 'query', (sql) => /^(?:DROP|RENAME)/.exec(sql)?.[0]);
const { MysqlPrograms } = load('infrastructure/backup/mysql-programs.js');
killBefore(MysqlPrograms.prototype, 'run', (program) => program);
killBefore(
  load('application/registrar/reconciliation/reconcile-restored.js').ReconcileRestored.prototype,
  'execute',
  () => 'reconcile',
);

const [, kind, run, octets] = /^(client|copy) (\d+):(\d+)$/.exec(KILL_AT) ?? [];
let runs = 0;
const isKilledRun = (each) => each === kind && (runs += 1) === Number(run);

/** Passes what comes before the kill. */
function dyingStream() {
  let left = Number(octets);
  return new Transform({
    transform(chunk, _encoding, callback) {
      if (chunk.length > left) {
        this.push(chunk.subarray(0, left));
        setImmediate(die);
        return;
      }
      left -= chunk.length;
      callback(null, chunk);
    },
    flush: die,
  });
}

const { run: runProgram } = MysqlPrograms.prototype;
MysqlPrograms.prototype.run = function runOrDie(program, options) {
  const input = isKilledRun(program) ? [...options.input, dyingStream()] : options.input;
  return runProgram.call(this, program, { ...options, ...(input && { input }) });
};
const { copyFileSync } = fs;
fs.copyFileSync = (from, to) => {
  if (!isKilledRun('copy')) return copyFileSync(from, to);
  fs.writeFileSync(to, fs.readFileSync(from).subarray(0, Number(octets)));
  return die();
};
