import { embeddedStore } from '../../local/store/embedded-store.ts';
import { startServer } from '../support/loopback-server.ts';
import { dynamoDbEngine } from './dynamodb-engine.ts';
import { describeRepetition } from './repetition.ts';

describeRepetition('dynalite', async () => dynamoDbEngine(await startServer(embeddedStore())), 4);
