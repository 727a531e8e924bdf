import { z } from 'zod';
import { dynamoDbEngine } from '../../model/dynamodb-engine.ts';
import { describeRepetition } from '../../model/repetition.ts';
import { rootKeys } from '../emulator.ts';

const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);

describeRepetition('the DynamoDB of an emulator', () => dynamoDbEngine(endpoint, rootKeys), 10);
