import type { IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../service-function.ts';
import { expression, fiveMinutes, minute, share } from './expressions.ts';
import { denialsBy, type LogMetric, logMetrics } from './log-metrics.ts';
import { ofNewVersion } from './new-version.ts';

/**
 * What the authorizer decides. It is invoked once a minute for each token, because the gateway caches its result. So these
 * metrics compare callers, where the gateway's metrics compare requests.
 */
export interface AuthorizerMetrics {
  readonly allowed: IMetric;
  readonly denials: IMetric;
  readonly deniedSignedTokens: IMetric;
  readonly unknownKeys: IMetric;
  readonly deniedCallerShare: IMetric;
  readonly newVersionDenies: IMetric;
  readonly authorizerFailures: IMetric;
  readonly authorizerFailureShare: IMetric;
  readonly keySetFailures: IMetric;
}

export const authorizerMetrics = (
  authorizer: ServiceFunction,
  countInLog: (metric: LogMetric) => Metric,
): AuthorizerMetrics => {
  const decisions = authorizer.live.metricInvocations({ period: minute });
  const errors = authorizer.live.metricErrors({ period: minute });
  const denials = countInLog(logMetrics.denials);
  const deniedSignedTokens = countInLog(logMetrics.deniedSignedTokens);
  const unknownKeys = countInLog(logMetrics.unknownKeys);
  const allowed = expression(
    'decisions - FILL(errors, 0) - FILL(denials, 0)',
    { decisions, errors, denials },
    'allowed callers',
  );

  return {
    allowed,
    denials,
    deniedSignedTokens,
    unknownKeys,
    deniedCallerShare: share(
      'callers with a token of the issuer who were denied',
      { denied: deniedSignedTokens },
      {
        signed: expression(
          'FILL(denied, 0) + allowed',
          { denied: deniedSignedTokens, allowed },
          'callers with a token of the issuer',
        ),
      },
      10,
      fiveMinutes,
    ),
    newVersionDenies: newVersionDenies(authorizer, countInLog, { decisions, allowed }),
    authorizerFailures: errors,
    authorizerFailureShare: share(
      'decisions that failed',
      // Without a value while the log's metric is late, so that no part of the errors counts too early.
      { failures: expression('errors - unknownKeys', { errors, unknownKeys }, 'failed decisions') },
      {
        withoutDenials: expression(
          'decisions - FILL(denials, 0) - unknownKeys',
          { decisions, denials, unknownKeys },
          'decisions without denials and unknown keys',
        ),
      },
      5,
    ),
    keySetFailures: countInLog(logMetrics.keySetFailures).with({ period: fiveMinutes }),
  };
};

/**
 * 1 when the new version of a release should have allowed seven callers, by the share that the previous version allows, and
 * allowed less than a tenth of them. An attacker is denied by both versions, and so changes neither share against the other.
 */
const newVersionDenies = (
  authorizer: ServiceFunction,
  countInLog: (metric: LogMetric) => Metric,
  { decisions, allowed }: Readonly<Record<'decisions' | 'allowed', IMetric>>,
): IMetric => {
  const { version } = authorizer.currentVersion;
  const newDecisions = ofNewVersion(authorizer, 'Invocations');
  const newAllowed = expression(
    'FILL(newDecisions, 0) - FILL(newErrors, 0) - FILL(newDenials, 0)',
    {
      newDecisions,
      newErrors: ofNewVersion(authorizer, 'Errors'),
      newDenials: countInLog(denialsBy(version)),
    },
    'callers that the new version allowed',
  );
  return expression(
    'IF(newAll * oldAllowed >= 7 * oldAll AND 10 * newAllowed * oldAll < newAll * oldAllowed, 1, 0)',
    {
      newAll: expression('FILL(newDecisions, 0)', { newDecisions }, 'decisions of the new version'),
      oldAll: expression(
        'decisions - FILL(newDecisions, 0)',
        { decisions, newDecisions },
        'decisions of the previous version',
      ),
      newAllowed,
      oldAllowed: expression(
        'allowed - newAllowed',
        { allowed, newAllowed },
        'callers that the previous version allowed',
      ),
    },
    'the new version denies the callers whom the previous one allows',
  );
};
