import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsNumber, IsString, ValidateNested } from 'class-validator';
import { MAX_EDITS } from '../../../application/dns/records/edit-records';
import type { RecordPatch } from '../../../domain/dns/records/dns-record';
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

class RecordPatchBody {
  @Optional() @IsString() type?: string;
  @Optional() @IsString() name?: string;
  @Optional() @IsString() content?: string;
  @Optional() @IsNumber() ttl?: number;
  @Nullable() @IsNumber() priority?: number | null;
  @Nullable() @IsNumber() weight?: number | null;
  @Nullable() @IsNumber() port?: number | null;
  @Allow() created_at?: unknown;
  @Allow() updated_at?: unknown;
}

/** A record of a response can be sent back: fields that the service sets are accepted and ignored. */
export class ChangeRecordBody extends RecordPatchBody {
  @Allow() id?: unknown;
}

/** One of many, named by its id. */
class UpdateRecordItem extends RecordPatchBody {
  @IsString() id!: string;
}

export class EditRecordsBody {
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_EDITS)
  @ValidateNested({ each: true })
  @Type(() => AddRecordBody)
  create?: AddRecordBody[];
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_EDITS)
  @ValidateNested({ each: true })
  @Type(() => UpdateRecordItem)
  update?: UpdateRecordItem[];
  @Optional() @IsArray() @ArrayMaxSize(MAX_EDITS) @IsString({ each: true }) delete?: string[];
}

export function patchOf({ type, name, content, ttl, priority, weight, port }: RecordPatchBody): RecordPatch {
  return { type, name, content, ttl, priority, weight, port };
}
