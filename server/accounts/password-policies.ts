import type { PasswordPolicy } from '@atrium/contract/accounts/trading-passwords.ts'
import type { Actor } from '../foundation/actor.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { describeProblem } from '../observability/log.ts'
import { GatewayError, type TradingGateway } from '../trading-platforms/contract.ts'

/** How long a screen waits for the platform; without its rules it shows ours. */
const waitMsMax = 1_000

/** The last answer of each connection, used while its platform is unreachable. */
const lastSaid = new WeakMap<TradingGateway, PasswordPolicy>()

/** The platform's password rules; null when it does not answer in time. Never call inside a transaction. */
export async function readPasswordPolicy(actor: Actor, platformId: string): Promise<PasswordPolicy | null> {
  const { platforms, log } = actor.context
  try {
    const link = await platforms.link(actor, platformId)
    if (!link) return null
    return (await waitAtMost(waitMsMax, ask(link.gateway))) ?? lastSaid.get(link.gateway) ?? null
  } catch (problem) {
    // A connection that cannot be made is reported to operators where it is configured, not to the member.
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
