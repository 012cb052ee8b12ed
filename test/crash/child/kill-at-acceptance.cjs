// Loaded before dist/main.js with `node --require`. Kills the process while it accepts a proposal whose comment names the point:
// `before` the acceptance is stored, `between` it and the write, `after` the write and before its end is stored.
const path = require('node:path');

const load = (file) => require(path.join(process.cwd(), 'dist', file));
const { DecideProposal } = load('application/proposals/decide-proposal.js');

function reach(point, { comment }) {
  if (comment !== point) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const { accept, end } = DecideProposal.prototype;
DecideProposal.prototype.accept = async function acceptOrDie(command, ...rest) {
  reach('before', command);
  const accepted = await accept.call(this, command, ...rest);
  reach('between', command);
  return accepted;
};
DecideProposal.prototype.end = async function endOrDie(command, ...rest) {
  reach('after', command);
  return end.call(this, command, ...rest);
};
