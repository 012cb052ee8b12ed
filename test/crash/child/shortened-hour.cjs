// Loaded before dist/main.js with `node --require`: the notifier's times are divided by SHORTENED_BY, so that an hour takes seconds.
const path = require('node:path');
const { NOTIFY_TIMES } = require(path.join(process.cwd(), 'dist/infrastructure/nameserver/notify/notify-times.js'));

for (const [name, ms] of Object.entries(NOTIFY_TIMES)) NOTIFY_TIMES[name] = ms / Number(process.env.SHORTENED_BY);
