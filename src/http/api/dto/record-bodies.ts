import { Allow, IsNumber, IsString } from 'class-validator';
import { Nullable, Optional } from './validated';

export class AddRecordBody {
  @IsString() type!: string;
  @IsString() name!: string;
  @IsString() content!: string;
  @Optional() @IsNumber() ttl?: number;
  @Nullable() @IsNumber() priority?: number | null;
  @Nullable() @IsNumber() weight?: number | null;
  @Nullable() @IsNumber() port?: number | null;
}

/** A record as answered may be sent back: what the service decides is taken and ignored. */
export class ChangeRecordBody {
  @Optional() @IsString() type?: string;
  @Optional() @IsString() name?: string;
  @Optional() @IsString() content?: string;
  @Optional() @IsNumber() ttl?: number;
  @Nullable() @IsNumber() priority?: number | null;
  @Nullable() @IsNumber() weight?: number | null;
  @Nullable() @IsNumber() port?: number | null;
  @Allow() id?: unknown;
  @Allow() created_at?: unknown;
  @Allow() updated_at?: unknown;
}
