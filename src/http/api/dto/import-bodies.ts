import { IsArray, IsString } from 'class-validator';
import { Optional } from './validated';

export class ImportBody {
  @IsString() registry!: string;
  @Optional() @IsArray() @IsString({ each: true }) names?: string[];
}
