// HTTP load over eight connections; two servers are loaded alternately, so that both see the same machine conditions.
import autocannon from 'autocannon';
import { median, percentile } from './numbers.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const CONNECTIONS = 8;

/** Loads `{ url, key, requests }`, with `requests` for autocannon. Returns requests per second and latencies in ms. */
async function load({ url, key, requests }, seconds = SECONDS) {
  const times = [];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const result = await new Promise((resolve, reject) => {
    const instance = autocannon(
      { url, connections: CONNECTIONS, duration: seconds, timeout: 60, headers, requests },
      (error, outcome) => (error ? reject(error) : resolve(outcome)),
    );
    instance.on('response', (_client, _status, _bytes, time) => times.push(time));
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} responses other than 2xx and ${result.errors} errors from ${url}`);
  return { perSecond: times.length / result.duration, p50: percentile(times, 50), p99: percentile(times, 99) };
}

/** Loads both servers alternately, after a warm-up. */
export async function loadAlternately(first, second) {
  for (const target of [first, second]) await load(target, 1);
  return measureAlternately(
    () => load(first),
    () => load(second),
  );
}

/** Measures both in each round; the order alternates. */
export async function measureAlternately(measureFirst, measureSecond) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 0) rounds.push({ first: await measureFirst(), second: await measureSecond() });
    else {
      const second = await measureSecond();
      rounds.push({ first: await measureFirst(), second });
    }
  }
  return rounds;
}

/** The median, over all rounds, of the ratio of `field` between first and second, with its range. */
export function medianRatio(rounds, field) {
  const ratios = rounds.map(({ first, second }) => first[field] / second[field]);
  return { ratio: median(ratios), spread: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}` };
}

export function describeRuns(runs) {
  const middle = (field) => median(runs.map((run) => run[field]));
  return `${middle('perSecond').toFixed(0)}/s, p50 ${middle('p50').toFixed(2)} ms, p99 ${middle('p99').toFixed(2)} ms`;
}
