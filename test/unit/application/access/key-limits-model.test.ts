import { isDeepStrictEqual } from 'node:util';
import { assert, asyncProperty, type Arbitrary } from 'fast-check';
import { FindDomain } from '../../../../src/application/registration/find-domain';
import { FindOperation } from '../../../../src/application/registration/operations/find-operation';
import { VisibleDomains } from '../../../../src/application/registration/visible-domains';
import { ListDomains } from '../../../../src/application/registration/list-domains';
import { ListOperations } from '../../../../src/application/registration/operations/list-operations';
import { ChangeAutoRenewal } from '../../../../src/application/registration/settings/change-auto-renewal';
import { parseKeyLimits } from '../../../../src/domain/access/key-limits';
import type { ApiKeyState } from '../../../../src/domain/access/api-key';
import type { UpdateChange } from '../../../../src/domain/dns/update/update-message';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import { ServiceError } from '../../../../src/domain/shared/service-error';
import { DOMAINS, expectedResult, limitCases, NAMES, TAGS, TYPES } from '../../../support/access/key-limits-model';
import { aRecord } from '../../../support/data/a-record';
import { seeded } from '../../../support/seeded';
import { dnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

type LimitCase = typeof limitCases extends Arbitrary<infer T> ? T : never;

const CONTENT: Readonly<Record<string, string>> = { A: '192.0.2.1', AAAA: '2001:db8::1', TXT: 'text' };
const OTHER: Readonly<Record<string, string>> = { A: '192.0.2.9', AAAA: '2001:db8::9', TXT: 'other' };

/** Three domains with the same records; changes are planned only, so that all cases meet the same zones. */
async function openZones(): Promise<(request: LimitCase) => Promise<unknown>> {
  const around = new UseCaseContext();
  const cases = dnsUseCases(around);
  const { storage } = around;
  for (const domain of DOMAINS) {
    const id = idOf(domain);
    await around.givenDomain({ id, name: domain, tags: TAGS[domain] ?? [] });
    await around.givenRecords(
      id,
      NAMES.flatMap((name) =>
        TYPES.map((type) => aRecord({ name, type, content: CONTENT[type] ?? '' }, recordId(domain, name, type))),
      ),
    );
    const request = { kind: 'set_transfer_lock', locked: true } as const;
    const intent = { id: `op_${id}`, accountId: OURS.accountId, domainId: id, actor: OURS.actor, request };
    await storage.run(({ operations }) => operations.add(Operation.queue(intent, around.clock.now())));
  }
  const run = async ({ limits, kind, domain, name, type }: LimitCase): Promise<unknown> => {
    const stored = parseKeyLimits(limits);
    const requester = {
      accountId: OURS.accountId,
      actor: { kind: 'key', id: 'limited', ...(stored && { limits: stored }) },
    } as const;
    const command = { ...requester, domainId: idOf(domain) };
    const record = { ...command, recordId: recordId(domain, name, type) };
    switch (kind) {
      case 'list domains':
        return (
          await new ListDomains(storage.domains, new VisibleDomains(storage.domainQueries)).page(requester, {}, 10)
        ).items
          .map((each) => each.name)
          .toSorted();
      case 'read domain':
        return new FindDomain(storage.domains).byId(command);
      case 'list operations':
        return new ListOperations(storage.domains, storage.operations).page(requester, command.domainId, 10);
      case 'read operation':
        return new FindOperation(storage.operations, storage.domains).execute({
          ...requester,
          operationId: `op_${command.domainId}`,
        });
      case 'list records':
        return shown((await cases.listRecords.page(requester, command.domainId, {}, 100)).records);
      case 'export zone':
        return exported((await cases.exportZoneFile.execute(requester, command.domainId)).text, domain);
      case 'read history':
        return shown((await cases.readZoneHistory.version(requester, command.domainId, 2)).records);
      case 'add record':
        return cases.addRecord.plan({ ...command, draft: { name, type, content: OTHER[type] ?? '' } });
      case 'change record':
        return cases.changeRecord.plan({ ...record, patch: { content: OTHER[type] } });
      case 'move record':
        return cases.changeRecord.plan({ ...record, patch: { name: 'moved' } });
      case 'remove record':
        return cases.removeRecord.plan(record);
      case 'import zone':
        return cases.importZoneFile.plan({ ...command, text: 'only 300 IN TXT only\n' });
      case 'add zone text':
        return cases.importZoneFile.plan({
          ...command,
          text: `${name} 300 IN ${type} ${CONTENT[type]}\n`,
          mode: 'add',
        });
      case 'roll back':
        return cases.restoreVersion.plan({ ...command, version: 1 });
      case 'dynamic update': {
        const draft = { name, type, content: OTHER[type] ?? '' };
        const update = (change: UpdateChange, keyLimits = stored) =>
          cases.updateZone.execute({
            key: { keyId: 'limited', accountId: OURS.accountId, scope: 'WRITE', limits: keyLimits } as ApiKeyState,
            zoneName: domain,
            message: { prerequisites: [], changes: [change] },
            messageId: 'm1',
            waitMs: 0,
          });
        const { outcome } = await update({ kind: 'add', name, type, record: draft });
        await update({ kind: 'delete_record', name, type, record: draft }, null);
        return outcome;
      }
      case 'update auto-renewal':
      default:
        return new ChangeAutoRenewal(storage, around.plan, around.clock, around.lifecycleClock).execute({
          ...command,
          autoRenew: true,
        });
    }
  };
  return async (request) => {
    try {
      const result = await run(request);
      const isShown = Array.isArray(result) && request.kind !== 'list operations';
      return isShown || typeof result === 'string' ? result : 'done';
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  };
}

const shown = (records: readonly { name: string; type: string }[]) =>
  records.map(({ name, type }) => `${name} ${type}`).toSorted();
const idOf = (domain: string) => `dom_${domain}`;
const recordId = (domain: string, name: string, type: string) => `rec_${domain}_${name}_${type}`;

function exported(text: readonly Buffer[], domain: string): string[] {
  return Buffer.concat(text)
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [owner = '', , , type = ''] = line.split(/\s+/);
      if (!TYPES.some((each) => each === type)) return [];
      const name = owner.replace(`.${domain}.`, '');
      return [`${name === `${domain}.` ? '@' : name} ${type}`];
    })
    .toSorted();
}

describe('the limits of a key', () => {
  it('allow and show what the reference model allows and shows, for 10,000 keys and requests', async () => {
    const run = await openZones();

    await assert(
      asyncProperty(limitCases, async (request) => {
        const [actual, expected] = [await run(request), expectedResult(request)];
        // `expect` takes longer than the request.
        if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
      }),
      seeded(10_000),
    );
  });
});
