// The suite `dynamodb` proves: the table’s adapters and the contract hold on Amazon’s own DynamoDB Local. It
// cannot show throttling and eventually consistent reads, which DynamoDB Local does not have.
import { z } from 'zod';
import { describeContract } from '../contract/contract.ts';
import { describePlantStore } from '../contract/plant-store.ts';
import { dynamoDbEngine } from '../model/dynamodb-engine.ts';
import { describeRepetition } from '../model/repetition.ts';
import { describePlantItems } from '../unit/plant-store/describe-plant-items.ts';
import { npmStart } from './npm-start-target.ts';

const endpoint = z.url().parse(process.env['DYNAMODB_LOCAL_ENDPOINT']);

describePlantStore('DynamoDB Local', () => Promise.resolve(endpoint));

describePlantItems('DynamoDB Local', () => Promise.resolve(endpoint));

describeRepetition('DynamoDB Local', () => dynamoDbEngine(endpoint), 10);

describeContract('npm start on DynamoDB Local', () => npmStart({ AWS_ENDPOINT_URL_DYNAMODB: endpoint }));
