#!/usr/bin/env bash
# Stops a release of PlantStore-$STAGE that runs, or continues its rollback that failed, and waits until the stack can be
# changed. However it ends, canary and alarms of the deployment groups are as before: an urgent template turns them off.
set -euo pipefail
stack=PlantStore-$STAGE
physical() {
  aws cloudformation describe-stack-resources --stack-name "$stack" --output text \
    --query "StackResources[?ResourceType=='AWS::CodeDeploy::$1'].PhysicalResourceId"
}
application=$(physical Application)
groups=$(physical DeploymentGroup)
saved=() stopped='' continued='' template=''

set_group() { # GROUP CONFIGURATION ALARMS
  aws deploy update-deployment-group --application-name "$application" --current-deployment-group-name "$1" \
    --deployment-config-name "$2" --alarm-configuration "$3"
}
# Otherwise CodeDeploy would shift back by canary, or not at all while an alarm is on.
shift_at_once() {
  for group in $groups; do
    settings=$(aws deploy get-deployment-group --application-name "$application" --deployment-group-name "$group" \
      --query 'deploymentGroupInfo.[deploymentConfigName, to_string(alarmConfiguration)]' --output text)
    saved+=("$group" "${settings%%$'\t'*}" "${settings#*$'\t'}")
    set_group "$group" CodeDeployDefault.LambdaAllAtOnce enabled=false
  done
}
restore() {
  trap '' INT TERM
  # The rollback to an urgent deployment has turned them off itself.
  [[ ${status-} != UPDATE_ROLLBACK_COMPLETE ]] || template=$(aws cloudformation get-template --stack-name "$stack" \
    --query 'TemplateBody.Resources.*.Properties.DeploymentConfigName' --output text) || true
  [[ $template != *AllAtOnce* ]] || return 0
  for ((i = 0; i < ${#saved[@]}; i += 3)); do
    set_group "${saved[@]:i:3}" || echo "::error::${saved[i]} is without canary and alarms: docs/pipeline.md#when-runs-meet"
  done
}
trap restore EXIT
trap 'exit 1' INT TERM

while status=$(aws cloudformation describe-stacks --stack-name "$stack" --query 'Stacks[0].StackStatus' --output text); do
  echo "$stack: $status"
  if [[ $status == UPDATE_IN_PROGRESS ]]; then
    ((${#saved[@]})) || shift_at_once
    for group in $groups; do
      for id in $(aws deploy list-deployments --application-name "$application" --deployment-group-name "$group" \
        --include-only-statuses Created Queued InProgress Baking Ready --query 'deployments[]' --output text); do
        # A rollback is a deployment of its own (CodeDeploy API Reference, “DeploymentInfo”, “RollbackInfo”).
        origin=$(aws deploy get-deployment --deployment-id "$id" --output text \
          --query 'deploymentInfo.[creator, rollbackInfo.rollbackTriggeringDeploymentId]')
        [[ ! $origin =~ Rollback|d- && $stopped != *" $id "* ]] || continue
        stopped+=" $id "
        error=$(aws deploy stop-deployment --deployment-id "$id" --auto-rollback-enabled 2>&1) ||
          [[ $error == *DeploymentAlreadyCompletedException* ]] || { echo "$error" && exit 1; }
      done
    done
  elif [[ $status == UPDATE_ROLLBACK_FAILED && -z $continued ]]; then
    ((${#saved[@]})) || shift_at_once
    aws cloudformation continue-update-rollback --stack-name "$stack"
    continued=true
  elif [[ $status != *_IN_PROGRESS ]]; then
    break
  fi
  sleep 10 & # A signal ends `wait`, but not `sleep`.
  wait $!
done
[[ $status == *_COMPLETE ]] || { echo "::error::$stack is $status: docs/runbook.md#roll-back has the steps." && exit 1; }
