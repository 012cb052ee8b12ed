import 'reflect-metadata';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { createContainer } from '../../../src/container/container';
import { webModules } from '../../../src/container/web-modules';
import { runProgram } from '../../../src/program';
import { serve } from '../../../src/serve';
import { CrashingUnitOfWork } from './crashing-unit-of-work';

/** The whole service as in `npm start`, with a unit of work that can crash. */
runProgram(async (config) => {
  const running = await createContainer(config, { serving: webModules });
  const unitOfWork = running.container.get(UnitOfWork);
  running.container.rebind(UnitOfWork).toConstantValue(new CrashingUnitOfWork(unitOfWork));
  await serve(config, running);
});
