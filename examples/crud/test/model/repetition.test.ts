import { memoryEngine } from './memory-engine.ts';
import { describeRepetition } from './repetition.ts';

describeRepetition('a table in memory', () => Promise.resolve(memoryEngine()), 500);
