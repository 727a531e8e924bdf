import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../service-function.ts';
import { expression, minute } from './expressions.ts';

/** A metric of the version to which a release moves the alias. */
export const ofNewVersion = (tested: ServiceFunction, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: {
      FunctionName: tested.functionName,
      Resource: `${tested.functionName}:${tested.live.aliasName}`,
      ExecutedVersion: tested.currentVersion.version,
    },
    statistic: 'sum',
    period: minute,
  });

/**
 * 1 when the new version of a release fails for 5 % of its requests, five at least, and three times as often as the previous
 * one. A caller whose own requests fail meets both versions, and so changes neither share against the other.
 * @param retryable the requests to which the function responded with a 2xxx
 * @param newRetryable those of the new version
 */
export const newVersionFails = (
  tested: ServiceFunction,
  retryable: IMetric,
  newRetryable: IMetric,
): IMetric => {
  const newFailed = expression(
    'FILL(newErrors, 0) + FILL(newRetryable, 0)',
    { newErrors: ofNewVersion(tested, 'Errors'), newRetryable },
    'requests that failed in the new version',
  );
  const newAll = ofNewVersion(tested, 'Invocations');
  return expression(
    'IF(newFailed >= 5 AND 20 * newFailed >= newAll AND 3 * oldFailed * newAll < newFailed * oldAll, 1, 0)',
    {
      newFailed,
      newAll,
      oldFailed: expression(
        'FILL(errors, 0) + FILL(retryable, 0) - newFailed',
        { errors: tested.live.metricErrors({ period: minute }), retryable, newFailed },
        'requests that failed in the previous version',
      ),
      oldAll: expression(
        'invocations - newAll',
        { invocations: tested.live.metricInvocations({ period: minute }), newAll },
        'requests to the previous version',
      ),
    },
    'the new version fails more often than the previous one',
  );
};
