// Loaded before dist/main.js with `node --require`. Kills the process while it accepts a move whose comment names the point:
// `in a name` or `between names` that move, `before the commit` or `after the commit` of the transaction.
const path = require('node:path');

const load = (file) => require(path.join(process.cwd(), 'dist', file));
const { DecideMove } = load('application/moves/decide-move.js');
const { SqlDomainRepository } = load('infrastructure/persistence/registration/domains/sql-domain-repository.js');

let comment;

function reach(point) {
  if (comment !== point) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const { accept, moveOne } = DecideMove.prototype;
DecideMove.prototype.accept = async function acceptOrDie(command, hook) {
  comment = command.comment;
  const accepted = await accept.call(this, command, async (...given) => {
    await hook?.(...given);
    reach('before the commit');
  });
  reach('after the commit');
  return accepted;
};
DecideMove.prototype.moveOne = async function moveOrDie(...given) {
  const moved = await moveOne.apply(this, given);
  reach('between names');
  return moved;
};

const { saveMoved } = SqlDomainRepository.prototype;
SqlDomainRepository.prototype.saveMoved = async function saveOrDie(domain) {
  await saveMoved.call(this, domain);
  reach('in a name');
};
