import { npmStart } from '../npm-start-target.ts';
import { describeContract } from '../../contract/contract.ts';

describeContract('npm start', () => npmStart());
