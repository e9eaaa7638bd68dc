import { type Actor, systemActor } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { PaymentProblem, type PaymentProvider } from '../../payment-providers/contract.ts'
import { eachCall } from './breaker.ts'

/** Wraps a provider so that the desk sees its last failed call from any process. */
export function notingFailures(actor: Actor, providerId: string, provider: PaymentProvider): PaymentProvider {
  return eachCall(provider, (call) => async (...asked) => {
    try {
      return await call(...asked)
    } catch (problem) {
      // A decline is an answer and concerns only the order.
      if (problem instanceof PaymentProblem && problem.failure !== 'declined') await note(actor, providerId, problem)
      throw problem
    }
  })
}

async function note({ context, workspaceId }: Actor, providerId: string, { failure, detail }: PaymentProblem) {
  const system = systemActor(context, workspaceId)
  await inTransaction(system, (tx) =>
    tx
      .updateTable('payment_provider_connections')
      .set({ failed_at: context.clock.now(), failure, failure_detail: detail })
      .where('workspace_id', '=', workspaceId)
      .where('provider_id', '=', providerId)
      .execute(),
  )
}
