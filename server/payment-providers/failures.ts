import { type Actor, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { PaymentProblem, type PaymentProvider } from './contract.ts'

/** The provider, with a note for the desk of the last call to it that failed, whichever process made it. */
export function notingFailures(actor: Actor, providerId: string, provider: PaymentProvider): PaymentProvider {
  const noting =
    <Asked, Answer>(ask: (asked: Asked) => Promise<Answer>) =>
    async (asked: Asked): Promise<Answer> => {
      try {
        return await ask(asked)
      } catch (problem) {
        // What was declined was answered: that is the order's matter.
        if (problem instanceof PaymentProblem && problem.failure !== 'declined') await note(actor, providerId, problem)
        throw problem
      }
    }
  return {
    ...provider,
    start: noting(provider.start),
    readStatus: noting(provider.readStatus),
    ...(provider.payOut && { payOut: noting(provider.payOut) }),
    ...(provider.readPayout && { readPayout: noting(provider.readPayout) }),
  }
}

async function note({ ground, workspaceId }: Actor, providerId: string, { failure, detail }: PaymentProblem) {
  const system = systemActor(ground, workspaceId)
  await inTransaction(system, (tx) =>
    tx
      .updateTable('payment_provider_connections')
      .set({ failed_at: ground.clock.now(), failure, failure_detail: detail })
      .where('workspace_id', '=', workspaceId)
      .where('provider_id', '=', providerId)
      .execute(),
  )
}
