#!/usr/bin/env bash
# Stops a running release of PlantStore-$STAGE, or continues its failed rollback, and waits until the stack
# can be updated. Turns off canary and alarms meanwhile, and restores them on exit.
set -euo pipefail
stack=PlantStore-$STAGE
physical() { # TYPE; describe-stack-resources would list only 100 resources
  aws cloudformation list-stack-resources --stack-name "$stack" --output text \
    --query "StackResourceSummaries[?ResourceType=='AWS::CodeDeploy::$1'].PhysicalResourceId"
}
application=$(physical Application)
groups=$(physical DeploymentGroup)
saved=() status=unknown stopped='' continued='' template=''

set_group() { # GROUP CONFIGURATION ALARMS
  aws deploy update-deployment-group --application-name "$application" \
    --current-deployment-group-name "$1" --deployment-config-name "$2" --alarm-configuration "$3"
}
# Otherwise CodeDeploy would shift back by canary, or not at all while an alarm is on.
shift_at_once() {
  for group in $groups; do
    settings=$(aws deploy get-deployment-group --application-name "$application" \
      --deployment-group-name "$group" --output text \
      --query 'deploymentGroupInfo.[deploymentConfigName, to_string(alarmConfiguration)]')
    # Already set, here or by an urgent deployment. If CloudFormation rolls that back, it restores the canary.
    [[ $settings != *AllAtOnce* ]] || continue
    saved+=("$group" "${settings%%$'\t'*}" "${settings#*$'\t'}")
    set_group "$group" CodeDeployDefault.LambdaAllAtOnce enabled=false
  done
}
restore() {
  trap '' HUP INT TERM
  # An urgent template has no canary and alarms: if the stack now has that template, nothing is restored.
  if [[ $status == *_COMPLETE ]]; then
    template=$(aws cloudformation get-template --stack-name "$stack" --output text \
      --query 'TemplateBody.Resources.*.Properties.DeploymentConfigName') || true
  fi
  [[ $template != *AllAtOnce* ]] || return 0
  for ((i = 0; i < ${#saved[@]}; i += 3)); do
    set_group "${saved[@]:i:3}" ||
      echo "::error::${saved[i]} is without canary and alarms: docs/pipeline.md#concurrent-runs"
  done
}
trap restore EXIT
trap 'exit 1' HUP INT TERM

running() { # GROUP
  aws deploy list-deployments --application-name "$application" --deployment-group-name "$1" \
    --include-only-statuses Created Queued InProgress Baking Ready --query 'deployments[]' --output text
}
stop() { # DEPLOYMENT
  # A rollback is a deployment of its own (CodeDeploy API Reference, “DeploymentInfo”, “RollbackInfo”).
  origin=$(aws deploy get-deployment --deployment-id "$1" --output text \
    --query 'deploymentInfo.[creator, rollbackInfo.rollbackTriggeringDeploymentId]')
  [[ ! $origin =~ Rollback|d- && $stopped != *" $1 "* ]] || return 0
  stopped+=" $1 "
  error=$(aws deploy stop-deployment --deployment-id "$1" --auto-rollback-enabled 2>&1) ||
    [[ $error == *DeploymentAlreadyCompletedException* ]] || { echo "$error" && exit 1; }
}
# Reads the status last, so that no listed deployment belongs to a rollback of the stack.
while deployments=$(for group in $groups; do running "$group" || exit; done) &&
  status=$(aws cloudformation describe-stacks --stack-name "$stack" --output text \
    --query 'Stacks[0].StackStatus'); do
  echo "$stack: $status"
  if [[ $status == UPDATE_IN_PROGRESS ]]; then
    shift_at_once
    for id in ${deployments//None/}; do stop "$id"; done # None: a response without deployments.
  elif [[ $status == UPDATE_ROLLBACK_FAILED && -z $continued ]]; then
    shift_at_once
    aws cloudformation continue-update-rollback --stack-name "$stack"
    continued=true
  elif [[ $status != *_IN_PROGRESS || $status == REVIEW_* ]]; then # REVIEW_IN_PROGRESS: not created yet.
    break
  fi
  sleep 10 & # A signal ends `wait`, but not `sleep`.
  wait $!
done
if [[ $status != *_COMPLETE && $status != REVIEW_* ]]; then
  echo "::error::$stack is $status: docs/runbook.md#roll-back has the steps."
  exit 1
fi
