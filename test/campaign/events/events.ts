import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { SmtpInbox } from '../../support/mail/smtp-inbox';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { EventClient } from './event-client';
import { mailDifferences } from './event-mails';
import { EventReceiver } from './event-receiver';
import { EventReplicas } from './event-replicas';
import { feedDifferences, signatureOf, type FeedEvent } from './expected-events';
import { FeedFollower, readFeed } from './feed-follower';

/**
 * Clients of two accounts make changes of all kinds while replicas are killed. At the end, each change must have its events once in the
 * feed of its account, and no other may be there; what was sent after a response comes after it; a program that has followed the feed has
 * seen just that; a receiver of webhooks that often fails has accepted each event; and each refused registration has one mail. SQLite and
 * MySQL have half of the changes each, at full size all.
 */
export const eventsCampaign: Campaign = { name: 'events', unit: 'changes', ciSize: 500, fullSize: 10_000, run };

const CHANGES_FOR_A_KILL = 50;
const CLIENTS_OF_ACCOUNT = 3;
const EXPECTED_ERROR = /"kind":"register","reason":"policy","msg":"the registry rejected an operation"/;

interface Installation {
  readonly title: string;
  readonly databaseUrl: string;
  readonly replicas: number;
}

async function run(size: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-events-'));
  const mysql = await startPrivateMysql();
  const changes = size < eventsCampaign.fullSize ? Math.ceil(size / 2) : size;
  try {
    const results = await Promise.all([
      drive({ title: 'SQLite', databaseUrl: `sqlite:${join(folder, 'service.db')}`, replicas: 1 }, changes, seed),
      drive({ title: 'MySQL', databaseUrl: await mysql.createDatabase(), replicas: 3 }, changes, seed),
    ]);
    return {
      summary: results.map(({ summary }) => summary).join('; '),
      failures: results.flatMap(({ failures }) => failures),
    };
  } finally {
    await mysql.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drive({ title, databaseUrl, replicas: count }: Installation, size: number, seed: number) {
  const random = new SeededRandom(seed);
  const inbox = await SmtpInbox.open();
  const replicas = new EventReplicas(settingsOf(databaseUrl, inbox), count, random);
  const receivers: EventReceiver[] = [];
  try {
    const keys = await replicas.start();
    for (const key of keys) receivers.push(await EventReceiver.open(replicas, key, new SeededRandom(seed)));
    const followers = keys.map((key) => new FeedFollower(replicas, key));
    const accounts = keys.map((key, account) =>
      Array.from(
        { length: CLIENTS_OF_ACCOUNT },
        (_, index) =>
          new EventClient(
            `${account}${index}`,
            replicas,
            key,
            new SeededRandom(seed + account + 7 * index),
            account === 0,
          ),
      ),
    );
    const clients = accounts.flat();
    const state = { done: 0 };
    const work = async (client: EventClient): Promise<void> => {
      while (state.done < size) {
        state.done += 1;
        await client.change();
      }
    };
    await Promise.all([killAtTimes(replicas, state, size), ...clients.map(work)]);
    await replicas.keepOne();
    const failures = clients.flatMap((client) => client.failures);
    const types = new Set<string>();
    let events = 0;
    for (const [account, key] of keys.entries()) {
      const feed = await readFeed(replicas, key);
      await followers[account]?.stopAt(feed.at(-1)?.id);
      const changes = (accounts[account] ?? []).flatMap((client) => client.changes);
      // Of the account, and of the key and the webhook that the campaign uses.
      const first = feed.slice(0, feed.findIndex(({ type }) => type === 'webhook.created') + 1);
      const opening = first.map((event) => ({ events: [signatureOf(event)], sentAt: 0, respondedAt: Infinity }));
      failures.push(...feedDifferences(feed, [...opening, ...changes]));
      failures.push(...followedDifferences(followers[account]?.seen ?? [], feed));
      failures.push(...((await receivers[account]?.differences(feed)) ?? []));
      for (const { type } of feed) types.add(type);
      events += feed.length;
    }
    const refused = clients.flatMap((client) => client.refused);
    failures.push(...(await mailDifferences(inbox, refused)));
    const errors = replicas.errors().filter((line) => !EXPECTED_ERROR.test(line));
    failures.push(...errors.map((line) => `the log has ${line}`));
    return {
      summary: `${title}: ${size} changes, ${events} events of ${types.size} types, ${replicas.kills} kills, ${receivers.map(({ summary }) => summary).join(', ')}, ${inbox.received.length} mails for ${refused.length} refusals, ${failures.length} failures`,
      failures: failures.map((each) => `${title}: ${each}`),
    };
  } finally {
    await replicas.stop();
    for (const receiver of receivers) await receiver.stop();
    inbox.dropClients();
    await inbox.close();
  }
}

function settingsOf(databaseUrl: string, inbox: SmtpInbox): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_PER_MINUTE: '0',
    HEALTH_CHECKS_PER_MINUTE: '0',
    HEALTH_RESOLVER: 'off',
    OPERATION_LEASE_MS: '1000',
    DNS_LISTEN: 'off',
    MAIL_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'Namewright <names@example.net>',
    PUBLIC_URL: 'http://127.0.0.1',
  };
}

/** Each after as many changes as the one before, so that a slow machine has as many as a fast one. */
async function killAtTimes(replicas: EventReplicas, state: { readonly done: number }, size: number): Promise<void> {
  for (let kill = 1; kill * CHANGES_FOR_A_KILL <= size; kill += 1) {
    const at = (kill - 0.5) * CHANGES_FOR_A_KILL;
    while (state.done < at) await sleep(5);
    await replicas.kill();
  }
}

/** A follower sees the feed from its beginning, each event at its place. */
function followedDifferences(seen: readonly FeedEvent[], feed: readonly FeedEvent[]): readonly string[] {
  const at = feed.findIndex(({ id }, index) => seen[index]?.id !== id);
  if (at < 0 && seen.length === feed.length) return [];
  return [`the follower has seen ${seen.length} of ${feed.length} events, and others from place ${at + 1} on`];
}
