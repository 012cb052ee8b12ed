import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { SeededRandom } from '../../crash/random';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { DnsService } from './dns-service';
import { KINDS, ZoneFuzzer, type Kind } from './zone-fuzzer';

/** Sends valid, mutated, wrongly signed, repeated and random UPDATE messages, and compares each zone with a model. */
export const updatesCampaign: Campaign = {
  name: 'updates',
  unit: 'messages',
  ciSize: 4_000,
  fullSize: 1_000_000,
  run,
};

/** As many changes of different zones share a commit. */
const CONNECTIONS = 32;
const PROGRESS_EVERY = 50_000;

async function run(messages: number, seed: number): Promise<CampaignResult> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-updates-'));
  const service = await DnsService.start(folder, [{}, { scope: 'READ' }, { isStranger: true }]);
  try {
    const [own, reading, stranger] = service.tsigKeys.map(parseKey) as [TsigKey, TsigKey, TsigKey];
    const failures: string[] = [];
    const zones: { readonly id: string; readonly name: string }[] = [];
    for (let index = 0; index < CONNECTIONS; index += 1) {
      const name = `updated-${index}.com`;
      zones.push({ id: await service.register(name), name });
    }
    // Last, because the service closes a connection without a signed message after five seconds.
    const fuzzers = zones.map((zone, index) => {
      const random = new SeededRandom(seed * CONNECTIONS + index);
      return new ZoneFuzzer(service, zone, { own, reading, stranger }, random, failures);
    });
    const startedAt = performance.now();
    let sent = 0;
    const rate = (count: number): number => Math.round((count * 1_000) / (performance.now() - startedAt));
    const progress = (): void => {
      sent += 1;
      if (sent % PROGRESS_EVERY > 0 || sent >= messages) return;
      process.stdout.write(
        `updates: ${sent} of ${messages} messages, ${rate(sent)}/s, ${failures.length} differences\n`,
      );
    };
    await Promise.all(fuzzers.map((fuzzer) => fuzzer.run(Math.ceil(messages / CONNECTIONS), progress)));
    const perSecond = rate(messages);
    const count = (kind: Kind): number => fuzzers.reduce((sum, { counts }) => sum + (counts.get(kind) ?? 0), 0);
    const accepted = fuzzers.reduce((sum, fuzzer) => sum + fuzzer.accepted, 0);
    failures.push(...service.errors().map((line) => `the log has ${line}`));
    return {
      summary: `${messages} messages, ${perSecond}/s: ${KINDS.map((kind) => `${count(kind)} ${kind}`).join(', ')}; ${accepted} NOERROR; ${CONNECTIONS} zones compared with the model, ${failures.length} differences`,
      failures,
    };
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function parseKey(text: string): TsigKey {
  const [, name = '', secret = ''] = text.split(':');
  return { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
}
