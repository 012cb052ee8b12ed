import 'reflect-metadata';
import { createContainer } from './container/container';
import { runProgram } from './program';
import { serve } from './serve';

runProgram(async (config) => serve(config, await createContainer(config)));
