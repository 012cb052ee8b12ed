import { ContainerModule } from 'inversify';
import { AdvanceClock } from '../application/sandbox/advance-clock';
import { ClearFaults } from '../application/sandbox/clear-faults';
import { ListFaults } from '../application/sandbox/list-faults';
import { InjectFault } from '../application/sandbox/inject-fault';
import { ReadLedger } from '../application/sandbox/read-ledger';
import { SandboxControl } from '../application/sandbox/sandbox-control';
import { TransferOut } from '../application/sandbox/transfer-out';
import { SandboxController } from '../http/api/controllers/sandbox-controller';

/** Loaded with a simulated registry only: with any other there is no such thing, not even an address. */
export function sandboxModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const part of [
      AdvanceClock,
      ClearFaults,
      ListFaults,
      InjectFault,
      ReadLedger,
      SandboxControl,
      TransferOut,
      SandboxController,
    ])
      bind<object>(part).toSelf().inSingletonScope();
  });
}
