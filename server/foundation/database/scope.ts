import type { Actor } from '../actor.ts'
import type { BatchStatement } from './batch.ts'
import type { Plans } from './pool.ts'
import { nameOfText } from './prepared-statement.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function refuseScope(): never {
  throw new Error('A scope takes UUIDs only')
}

/** Begin and scope are one text without parameters, so only valid ids may get into it. */
export function literal(id: string): string {
  if (!uuid.test(id)) refuseScope()
  return `'${id}'`
}

/** Limits statements, so that a runaway read or a wait for a lock cannot hold a connection. */
const timeouts = { statement_timeout: '5s', lock_timeout: '4s', idle_in_transaction_session_timeout: '15s' }
const settingTimeouts = Object.entries(timeouts).map(([name, value]) => `set_config('${name}', '${value}', true)`)

export function beginScoped(actor: Actor): string {
  const member = actor.kind === 'member' ? literal(actor.memberId) : `''`
  return (
    `begin; select set_config('atrium.workspace_id', ${literal(actor.workspaceId)}, true), ` +
    `set_config('atrium.actor_kind', '${actor.kind}', true), set_config('atrium.member_id', ${member}, true), ` +
    settingTimeouts.join(', ')
  )
}

const settingUnit = `select num_nulls(set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', $2, true),
  set_config('atrium.member_id', $3, true), ${settingTimeouts.join(', ')})`

/** Scope and limits as a statement with parameters, which a unit of work prepares. */
export function scopeOfUnit(actor: Actor): Omit<BatchStatement, 'name'> {
  return { text: settingUnit, values: [actor.workspaceId, actor.kind, memberOf(actor)] }
}

function memberOf(actor: Actor): string {
  const memberId = actor.kind === 'member' ? actor.memberId : ''
  if (!uuid.test(actor.workspaceId) || (actor.kind === 'member' && !uuid.test(memberId))) refuseScope()
  return memberId
}

/** Counts the empty ones, so that one number is sent back instead of every setting. */
const settingScope = `select num_nulls(set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', $2, true),
  set_config('atrium.member_id', $3, true), set_config('plan_cache_mode', $4, true),
  set_config('enable_bitmapscan', $5, true), set_config('transaction_read_only', 'on', true), ${settingTimeouts.join(', ')})`
const scopeName = nameOfText(settingScope, 'scope_')

/**
 * Scope and limits of a batch, for its transaction only. Statements that read by an index in result order use one
 * generic plan (`isGeneric`); without known row counts the planner would prefer a bitmap scan, so those are off.
 */
export function scopeOf(actor: Actor, isGeneric: boolean, plans: Plans): BatchStatement {
  const memberId = memberOf(actor)
  const mode = isGeneric ? 'force_generic_plan' : 'force_custom_plan'
  return {
    text: settingScope,
    values: [actor.workspaceId, actor.kind, memberId, mode, isGeneric ? 'off' : 'on'],
    name: plans.arePrepared ? scopeName : null,
  }
}

const settingPlans = `select num_nulls(set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('enable_bitmapscan', 'on', true))`

/** Later statements of the batch are planned each time, since a plan that suits most workspaces is wrong for the largest. */
export const planEach: BatchStatement = { text: settingPlans, values: [], name: nameOfText(settingPlans, 'plans_') }

const settingMoment = `set transaction_isolation = 'repeatable read'`
const momentName = nameOfText(settingMoment, 'moment_')

/** Before the scope, which is the first statement to read: those of the batch then see one moment. */
export function ofOneMoment({ arePrepared }: Plans): BatchStatement {
  return { text: settingMoment, values: [], name: arePrepared ? momentName : null }
}
