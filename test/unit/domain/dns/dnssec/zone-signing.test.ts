import type { DsRecord } from '../../../../../src/domain/dns/delegation/ds-record';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';

const START = new Date('2026-03-01T00:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000);
const SIGNER: DsRecord = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AA' };
const NEW_SIGNER: DsRecord = { keyTag: 2, algorithm: 13, digestType: 2, digest: 'BB' };
const NOT_PUBLISHED = { reason: 'the parent does not have them', remedy: 'wait' };
const HOUR = 3_600;
const DAY = 86_400;

const shown = (signing: ZoneSigning) => {
  const { step, until, serial } = signing.toState();
  return { state: signing.shownState, step, waitsFor: signing.waitsFor, until, serial };
};

const requested = () => ZoneSigning.request('dom_1', 'nsec', START);

function signed(): ZoneSigning {
  const signing = requested();
  signing.recordSigned({ keyId: 'key_1', serial: 7, cachedSeconds: HOUR }, at(1));
  return signing;
}

function waitingForDs(): ZoneSigning {
  const signing = signed();
  signing.served(at(10));
  signing.endWait(at(10 + HOUR));
  return signing;
}

function active(): ZoneSigning {
  const signing = waitingForDs();
  signing.promise([SIGNER], 'op_1', at(2 * HOUR));
  signing.recordDsConfirmed(DAY, at(2 * HOUR));
  signing.recordChecked(null, at(2 * HOUR));
  return signing;
}

function rolling(): ZoneSigning {
  const signing = active();
  signing.rollOver(at(DAY));
  signing.recordKeyAdded({ keyId: 'key_2', serial: 9, cachedSeconds: 2 * HOUR }, at(DAY));
  return signing;
}

describe('switching DNSSEC on', () => {
  it('signs the zone at once', () => {
    expect(shown(requested())).toEqual({
      state: 'publishing',
      step: 'sign',
      waitsFor: 'service',
      until: null,
      serial: null,
    });
    expect(requested().isDue(START)).toBe(true);
  });

  it('then waits until every secondary serves the signed zone', () => {
    expect(shown(signed())).toMatchObject({ state: 'publishing', waitsFor: 'secondaries', serial: 7 });
  });

  it('then waits until unsigned records have expired in caches, counted from when the last secondary was signed', () => {
    const signing = signed();

    signing.served(at(10));

    expect(shown(signing)).toMatchObject({ state: 'publishing', waitsFor: 'caches', until: at(10 + HOUR) });
    signing.endWait(at(9 + HOUR));
    expect(shown(signing)).toMatchObject({ waitsFor: 'caches' });
    expect(signing.isDue(at(9 + HOUR))).toBe(false);
    signing.endWait(at(10 + HOUR));
    expect(shown(signing)).toMatchObject({ state: 'waiting_for_ds', waitsFor: 'registry', until: null });
  });

  it('is active only when the registry was read and has the DS records', () => {
    const signing = waitingForDs();

    signing.promise([SIGNER], 'op_1', at(2 * HOUR));
    expect(shown(signing)).toMatchObject({ state: 'waiting_for_ds' });
    signing.recordDsMismatch(at(2 * HOUR + 1));
    expect(signing.toState()).toMatchObject({ step: 'add_ds', operationId: null, dueAt: at(2 * HOUR + 1) });
    signing.promise([SIGNER], 'op_2', at(2 * HOUR + 2));
    signing.recordDsConfirmed(DAY, at(2 * HOUR + 3));

    expect(shown(signing)).toMatchObject({ state: 'active', until: null });
  });

  it('shows why the registry refused and what to do, and tries again an hour later', () => {
    const signing = waitingForDs();
    signing.promise([SIGNER], 'op_1', at(2 * HOUR));

    signing.fail({ reason: 'refused', remedy: 'call them' }, at(2 * HOUR));

    expect(signing.shownState).toBe('error');
    expect(signing.toState()).toMatchObject({
      problem: { reason: 'refused', remedy: 'call them' },
      step: 'add_ds',
      operationId: null,
      dueAt: at(3 * HOUR),
    });
    signing.promise([SIGNER], 'op_2', at(3 * HOUR));
    signing.enable(at(3 * HOUR));
    expect(signing.toState()).toMatchObject({ problem: { reason: 'refused' }, operationId: 'op_2' });
    signing.recordDsAwaited(NOT_PUBLISHED, at(3 * HOUR));
    expect(signing.shownState).toBe('waiting_for_ds');
  });

  it('says so if the parent does not publish the DS records within a day, and asks less and less often, but every hour', () => {
    const signing = waitingForDs();
    signing.fail({ reason: 'refused', remedy: 'call them' }, at(2 * HOUR));
    signing.promise([SIGNER], 'op_2', at(DAY));
    const acceptedAfter = (seconds: number) => {
      signing.recordDsAwaited(NOT_PUBLISHED, at(DAY + seconds));
      return [signing.shownState, (signing.toState().dueAt.getTime() - at(DAY + seconds).getTime()) / 1_000];
    };

    expect([1, 40, HOUR, DAY - 240, DAY, 9 * DAY].map(acceptedAfter)).toEqual([
      ['waiting_for_ds', 1],
      ['waiting_for_ds', 10],
      ['waiting_for_ds', 150],
      ['waiting_for_ds', HOUR - 10],
      ['error', HOUR],
      ['error', HOUR],
    ]);
    expect(signing.toState()).toMatchObject({ problem: NOT_PUBLISHED, operationId: 'op_2' });
    signing.enable(at(20 * DAY));
    expect(signing.toState()).toMatchObject({ problem: NOT_PUBLISHED, dueAt: at(20 * DAY) });
    signing.recordDsConfirmed(DAY, at(20 * DAY));
    expect(signing.shownState).toBe('active');
  });

  it('again, after an error, tries the failed step at once', () => {
    const signing = waitingForDs();
    signing.fail({ reason: 'refused', remedy: 'call them' }, at(2 * HOUR));

    signing.enable(at(2 * HOUR + 60));

    expect(signing.toState()).toMatchObject({ step: 'add_ds', problem: null, dueAt: at(2 * HOUR + 60) });
  });

  it('asks secondaries that do not catch up less and less often, but at least every minute', () => {
    const signing = signed();
    const pauseAfter = (seconds: number) => {
      signing.pollLater(at(1 + seconds));
      return (signing.toState().dueAt.getTime() - at(1 + seconds).getTime()) / 1_000;
    };

    expect([0, 2, 40, 100, 100_000].map(pauseAfter)).toEqual([1, 1, 10, 25, 60]);
  });
});

describe('an active zone', () => {
  it('is compared with the registry every day, and gets its DS records back if the registry lost them', () => {
    const signing = active();
    expect(signing.toState()).toMatchObject({ step: 'check', dueAt: at(2 * HOUR + DAY) });

    signing.recordDsMismatch(at(3 * HOUR + DAY));

    expect(shown(signing)).toMatchObject({ state: 'waiting_for_ds', step: 'add_ds' });
  });

  it('keeps its key permanently without a lifetime, and rolls over when the lifetime ends', () => {
    const signing = active();

    signing.recordChecked(at(30 * DAY), at(DAY));
    expect(shown(signing)).toMatchObject({ step: 'check', until: at(30 * DAY) });
    signing.recordChecked(at(30 * DAY), at(29.5 * DAY));
    expect(signing.toState().dueAt).toEqual(at(30 * DAY));
    signing.recordChecked(at(30 * DAY), at(30 * DAY));

    expect(shown(signing)).toMatchObject({ state: 'active', step: 'add_key' });
  });
});

describe('a key rollover', () => {
  it('publishes the new key, sets both DS records, then the new one alone, and retires the old key after the DS TTL', () => {
    const signing = rolling();
    const steps = [signing.step];
    const promised = [];

    signing.served(at(DAY + 5));
    steps.push(signing.step);
    expect(signing.toState().until).toEqual(at(DAY + 5 + 2 * HOUR));
    signing.endWait(at(2 * DAY));
    promised.push(signing.cdsToPublish);
    signing.promise([SIGNER, NEW_SIGNER], 'op_2', at(2 * DAY));
    signing.recordDsConfirmed(DAY, at(2 * DAY));
    promised.push(signing.cdsToPublish);
    signing.promise([NEW_SIGNER], 'op_3', at(2 * DAY));
    signing.recordDsConfirmed(DAY, at(2 * DAY));
    expect(shown(signing)).toMatchObject({ state: 'active', waitsFor: 'ds_caches', until: at(3 * DAY) });
    signing.endWait(at(3 * DAY));
    expect(signing.step).toBe('retire_key');
    signing.recordKeyRetired(at(3 * DAY));

    expect(steps).toEqual(['publish_key', 'wait_for_key']);
    expect(promised).toEqual(['keys', 'first']);
    expect(signing.toState()).toMatchObject({ step: 'check', keyId: 'key_2', newKeyId: null, dsRecords: [NEW_SIGNER] });
    expect(signing.isRollingOver).toBe(false);
  });

  it('sets the DS record of the new key alone if the registry does not take both, and waits for the DS TTL, too', () => {
    const signing = rolling();
    signing.served(at(DAY + 5));
    signing.endWait(at(2 * DAY));
    signing.promise([SIGNER, NEW_SIGNER], 'op_2', at(2 * DAY));

    signing.recordBothRefused(at(2 * DAY));
    expect([signing.shownState, signing.cdsToPublish]).toEqual(['active', 'first']);
    expect(signing.toState().operationId).toBeNull();
    signing.promise([NEW_SIGNER], 'op_3', at(2 * DAY));
    signing.recordDsConfirmed(DAY, at(2 * DAY));

    expect(shown(signing)).toMatchObject({ state: 'active', waitsFor: 'ds_caches', until: at(3 * DAY) });
  });

  it('starts only when the zone is active and no other is in progress', () => {
    expect(active().rollOver(at(DAY))).toBe(true);
    expect(rolling().rollOver(at(DAY))).toBe(false);
    expect(signed().rollOver(at(DAY))).toBe(false);
  });

  it('ends when DNSSEC is switched off', () => {
    const signing = rolling();

    signing.disable(at(2 * DAY));

    expect(shown(signing)).toMatchObject({ state: 'removing_ds', step: 'remove_ds' });
    expect(signing.isRollingOver).toBe(false);
  });

  it('goes on if DNSSEC is switched on again, after the longest time that caches may have former records', () => {
    const signing = rolling();
    signing.disable(at(2 * DAY));
    signing.enable(at(2 * DAY));
    signing.promise([SIGNER], 'op_3', at(2 * DAY));

    signing.recordDsConfirmed(DAY, at(2 * DAY));
    expect(shown(signing)).toMatchObject({ state: 'active', step: 'publish_key' });
    signing.served(at(2 * DAY));

    expect(shown(signing)).toMatchObject({ step: 'wait_for_key', until: at(9 * DAY) });
  });
});

describe('switching DNSSEC off', () => {
  it('removes the DS records, waits for their TTL, unsigns, and is off when every secondary serves the unsigned zone', () => {
    const signing = active();

    expect(signing.disable(at(DAY))).toBe(false);
    expect(shown(signing)).toMatchObject({ state: 'removing_ds', waitsFor: 'registry' });
    expect(signing.cdsToPublish).toBe('delete');
    signing.promise([], 'op_2', at(DAY));
    signing.recordDsConfirmed(DAY, at(DAY));
    expect(shown(signing)).toMatchObject({ state: 'removing_ds', waitsFor: 'ds_caches', until: at(2 * DAY) });
    expect(signing.mayHaveDsRecords).toBe(true);
    signing.endWait(at(2 * DAY));
    expect(shown(signing)).toMatchObject({ state: 'unpublishing', waitsFor: 'service' });
    expect(signing.mayHaveDsRecords).toBe(false);
    signing.recordUnsigned(11, at(2 * DAY));
    expect(shown(signing)).toMatchObject({ state: 'unpublishing', waitsFor: 'secondaries', serial: 11 });
    expect(signing.isSigned).toBe(false);

    expect(signing.served(at(2 * DAY + 3))).toBe(true);
  });

  it('is off at once if nothing was signed yet', () => {
    expect(requested().disable(START)).toBe(true);
  });

  it('unsigns at once if no DS records were ever sent', () => {
    const signing = signed();

    signing.disable(at(5));

    expect(shown(signing)).toMatchObject({ state: 'unpublishing', step: 'unsign' });
  });

  it('removes DS records that may have been sent, even if the outcome is unknown', () => {
    const signing = waitingForDs();
    signing.promise([SIGNER], 'op_1', at(2 * HOUR));

    signing.disable(at(2 * HOUR));

    expect(shown(signing)).toMatchObject({ state: 'removing_ds', step: 'remove_ds' });
  });

  it('switched on again before the signatures are removed only sets the DS records again', () => {
    const signing = active();
    signing.disable(at(DAY));
    signing.promise([], 'op_2', at(DAY));
    signing.recordDsConfirmed(DAY, at(DAY));

    signing.enable(at(DAY + 60));

    expect(shown(signing)).toMatchObject({ state: 'waiting_for_ds', step: 'add_ds', until: null });
    expect(signing.isWanted).toBe(true);
  });

  it('switched on again just before the zone is unsigned waits again until caches have only signed records', () => {
    const signing = signed();
    signing.disable(at(5));

    signing.enable(at(6));

    expect(shown(signing)).toMatchObject({ state: 'publishing', step: 'publish' });
  });

  it('switched on again after the zone was unsigned signs it again', () => {
    const signing = signed();
    signing.disable(at(5));
    signing.recordUnsigned(8, at(6));

    signing.enable(at(7));

    expect(shown(signing)).toMatchObject({ state: 'publishing', step: 'sign' });
  });

  it('changes nothing while it is in progress', () => {
    const signing = active();
    signing.disable(at(DAY));
    const before = signing.toState();

    signing.disable(at(DAY + 1));

    expect(signing.toState()).toEqual(before);
  });
});
