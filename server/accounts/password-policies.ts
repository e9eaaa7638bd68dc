import type { PasswordPolicy } from '@atrium/contract/accounts/trading-passwords.ts'
import type { Actor } from '../foundation/actor.ts'
import { waitAtMost } from '../foundation/patience.ts'
import { describeProblem } from '../observability/log.ts'
import { GatewayError, type TradingGateway } from '../trading-platforms/contract.ts'

/** As long as a screen may wait for a platform that does not answer: without its rules it still shows ours. */
const patienceMs = 1_000

/** What each connection last said, so that a platform that is away now is not asked for what it said before. */
const lastSaid = new WeakMap<TradingGateway, PasswordPolicy>()

/** What a platform asks of passwords; null when it has not said so in time. Never inside of a transaction. */
export async function readPasswordPolicy(actor: Actor, platformId: string): Promise<PasswordPolicy | null> {
  const { platforms, log } = actor.context
  try {
    const link = await platforms.link(actor, platformId)
    if (!link) return null
    return (await waitAtMost(patienceMs, ask(link.gateway))) ?? lastSaid.get(link.gateway) ?? null
  } catch (problem) {
    // A connection that cannot even be made is told to operators where it is configured, not to who fills in a form.
    log.warn({ err: describeProblem(problem), platform: platformId }, 'password rules not read')
    return null
  }
}

async function ask(gateway: TradingGateway): Promise<PasswordPolicy | null> {
  try {
    const { passwordPolicy } = await gateway.capabilities()
    lastSaid.set(gateway, passwordPolicy)
    return passwordPolicy
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    return null
  }
}
