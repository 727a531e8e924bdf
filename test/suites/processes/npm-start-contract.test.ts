import { npmStart } from '../npm-start.ts';
import { describeContract } from '../../contract/contract.ts';

describeContract('npm start', () => npmStart());
