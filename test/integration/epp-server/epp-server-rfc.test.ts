import { RFC_FRAMES_MISSING, rfcFrames } from '../../support/epp/epp-fixtures';
import { EppScenario } from '../../support/epp/epp-scenario';
import { describeOrSkip } from '../../support/describe-or-skip';

describeOrSkip(RFC_FRAMES_MISSING)('the sandbox EPP server and the example commands of the RFCs', () => {
  // `cmd-resp` is RFC 5730's sketch of an exchange, no frame; sessions are begun and ended elsewhere.
  const commands = rfcFrames().filter(({ file }) => file.includes('-cmd-') && !/-(?:login|logout|resp)\b/.test(file));
  let scene: EppScenario;
  beforeAll(async () => {
    scene = await EppScenario.open();
  });
  afterAll(() => scene.close());

  it.each(commands.map(({ file, bytes }) => [file, bytes.toString()]))(
    '%s is understood, whatever there is to say to it',
    async (_, document) => {
      scene.registry.exempt((frame) => frame === document);

      const answer = (await scene.first.sendDocument(document)) ?? 'a closed connection';

      const code = /result code="(\d+)"/.exec(answer)?.[1] ?? (answer.includes('<greeting>') ? 'greeting' : answer);
      expect(code).toMatch(/^(?:greeting|1[03]0\d|2003|2005|210[1-3]|220\d|230\d)$/);
    },
  );
});
