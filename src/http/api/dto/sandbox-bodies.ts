import { IsInt, IsNumber, IsString } from 'class-validator';
import { Optional } from './validated';

export class AdvanceBody {
  @IsNumber() days!: number;
}

export class FaultBody {
  @IsString() kind!: string;
  @Optional() @IsString() target?: string;
  @Optional() @IsInt() times?: number;
  @Optional() @IsInt() milliseconds?: number;
}

export class NameElsewhereBody {
  @IsString() name!: string;
}

export class TransferDecisionBody {
  @IsString() name!: string;
  @IsString() decision!: string;
}

export class TransferOutBody {
  @IsString() name!: string;
  @IsString() auth_code!: string;
}
