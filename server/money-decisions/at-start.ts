import type { Call } from '@atrium/contract/call.ts'
import { moneyDecisions } from '@atrium/contract/money/decisions.ts'
import type { FastifyInstance } from 'fastify'
import type { MoneyPolicy } from './policy.ts'

type Policies = Readonly<Partial<Record<string, MoneyPolicy>>>

/** The calls registered from here on, for `refuseUndecided`. */
export function collectCalls(app: FastifyInstance): Call[] {
  const calls: Call[] = []
  app.addHook('onRoute', ({ config }) => {
    if (config?.call) calls.push(config.call)
  })
  return calls
}

/** A money decision without a policy would be unprotected, so the server refuses to start. */
export function refuseUndecided(calls: readonly Call[], policies: Policies): void {
  const problems = [...calls.flatMap((call) => problemsOf(call, policies)), ...unmade(calls)]
  for (const name of moneyDecisions) if (policies[name]?.name !== name) problems.push(`${name} has no policy`)
  if (problems.length > 0) throw new Error(`Decisions about money: ${[...new Set(problems)].join('; ')}`)
}

function problemsOf({ method, path, right, decides = [] }: Call, policies: Policies): string[] {
  const call = `${method} ${path}`
  if (right === 'money.decide' && decides.length === 0) return [`${call} declares no decision`]
  return decides.flatMap((name) => {
    const policy = policies[name]
    if (!policy) return [`${call} takes the decision ${name}, which has no policy`]
    return policy.right === right ? [] : [`${call} and the policy of ${name} ask for different rights`]
  })
}

/** A policy that no call uses belongs to a call that does not declare its decision. */
function unmade(calls: readonly Call[]): string[] {
  const taken = new Set<string>(calls.flatMap(({ decides = [] }) => decides))
  return moneyDecisions.filter((name) => !taken.has(name)).map((name) => `no call takes the decision ${name}`)
}
