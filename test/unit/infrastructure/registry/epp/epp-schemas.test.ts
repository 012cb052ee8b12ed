import { RFC_FRAMES_MISSING, rfcFrames, recordedExchanges } from '../../../../support/epp/epp-fixtures';
import { EppSchemas } from '../../../../support/epp/epp-schemas';
import { describeOrSkip } from '../../../../support/describe-or-skip';

const schemas = new EppSchemas();
afterAll(() => schemas.close());

describe('EPP schemas', () => {
  it('accept every recorded command except the two that are invalid on purpose', async () => {
    const invalid: string[] = [];
    for (const { title, command } of recordedExchanges())
      if ((await schemas.faultsOf(command)).length > 0) invalid.push(title);

    expect(invalid).toEqual(['04-contact-create-badphone', '35-unknown-ext']);
  });

  it('reject a frame with elements in the wrong order, with their position', async () => {
    const frame =
      '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command><clTRID>ABC-1</clTRID><logout/></command></epp>';

    expect(await schemas.faultsOf(frame)).toEqual([expect.stringContaining('clTRID')]);
  });
});

describeOrSkip(RFC_FRAMES_MISSING)('EPP schemas and the example frames of the RFCs', () => {
  it('agree on every example that is a complete frame', async () => {
    const invalid: string[] = [];
    for (const { file, bytes } of rfcFrames()) if ((await schemas.faultsOf(bytes)).length > 0) invalid.push(file);

    expect(invalid).toHaveLength(23);
  });
});
