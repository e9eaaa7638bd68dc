import type { Call } from '@atrium/contract/call.ts'
import type { NotificationKind } from '@atrium/contract/notifications/calls.ts'
import * as contract from '@atrium/contract/sessions/security.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../foundation/context.ts'
import type { CallFacts } from '../../http/call-facts.ts'
import { open } from '../../http/route.ts'
import { resetMemberFactors, resetStaffFactors } from './factor-reset.ts'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './passkeys.ts'
import { prove, startProof } from './proof.ts'
import { readSecurity, renewRecoveryCodes } from './security.ts'
import { confirmTotp, removeTotp, startTotp } from './totp.ts'

const added = (recovery_codes: string[] | null) => ({ msg: [sessionTexts.factorAdded], recovery_codes })

/** The scope is the member's; staff reach their own account with `desk.use`. */
const own = { scopes: ['profile'], whileEnrolling: true } as const
/** Members are notified of changes to their factors; staff are not. */
const notifying = ({ access }: Call, kind: NotificationKind): Pick<CallFacts, 'notifies'> =>
  access === 'member' ? { notifies: [kind] } : {}
const newestQuestion = 'the newest question is the one that may be answered'

/** A person's own factors and proof: the same operations for members and staff. */
export function openSecurityCalls(app: FastifyInstance, context: Context): void {
  for (const call of [contract.readSecurity, contract.readDeskSecurity])
    open(app, context, call, { ...own, handler: async (actor) => ({ security: await readSecurity(actor) }) })

  for (const call of [contract.startProof, contract.startDeskProof])
    open(app, context, call, {
      ...own,
      audit: ['proof.asked'],
      repeats: newestQuestion,
      handler: async (actor) => ({ passkey: await startProof(actor) }),
    })

  for (const call of [contract.prove, contract.proveDesk])
    open(app, context, call, {
      ...own,
      audit: ['session.proven'],
      repeats: 'the newest proof counts',
      handler: async (actor, given) => ({ proven_until: (await prove(actor, given)).getTime() }),
    })

  openTotpCalls(app, context)
  openPasskeyCalls(app, context)

  for (const call of [contract.renewRecoveryCodes, contract.renewDeskRecoveryCodes])
    open(app, context, call, {
      ...own,
      audit: ['recovery-codes.renewed'],
      repeats: 'the newest codes are the ones that work',
      ...notifying(call, 'recovery-codes.renewed'),
      notifiesAgain: true,
      handler: async (actor) => {
        return { recovery_codes: await renewRecoveryCodes(actor), msg: [sessionTexts.recoveryCodesRenewed] }
      },
    })
}

function openTotpCalls(app: FastifyInstance, context: Context): void {
  for (const call of [contract.startTotp, contract.startDeskTotp])
    open(app, context, call, {
      ...own,
      audit: ['second-factor.started'],
      repeats: 'the newest secret is the one that may be confirmed',
      handler: async (actor) => startTotp(actor),
    })

  for (const call of [contract.confirmTotp, contract.confirmDeskTotp])
    open(app, context, call, {
      ...own,
      audit: ['second-factor.added'],
      idempotent: true,
      ...notifying(call, 'second-factor.added'),
      handler: async (actor, { code }) => added(await confirmTotp(actor, code)),
    })

  for (const call of [contract.removeTotp, contract.removeDeskTotp])
    open(app, context, call, {
      ...own,
      audit: ['second-factor.removed'],
      idempotent: true,
      ...notifying(call, 'second-factor.removed'),
      handler: async (actor) => {
        await removeTotp(actor)
        return { msg: [sessionTexts.factorRemoved] }
      },
    })
}

function openPasskeyCalls(app: FastifyInstance, context: Context): void {
  for (const call of [contract.startPasskey, contract.startDeskPasskey])
    open(app, context, call, {
      ...own,
      audit: ['second-factor.started'],
      repeats: newestQuestion,
      handler: async (actor) => ({ passkey: await startPasskey(actor) }),
    })

  for (const call of [contract.addPasskey, contract.addDeskPasskey])
    open(app, context, call, {
      ...own,
      audit: ['second-factor.added'],
      idempotent: true,
      ...notifying(call, 'second-factor.added'),
      handler: async (actor, input) => added(await addPasskey(actor, input)),
    })

  for (const call of [contract.renamePasskey, contract.renameDeskPasskey])
    open(app, context, call, {
      ...own,
      audit: ['passkey.renamed'],
      idempotent: true,
      handler: async (actor, { _id, name }) => {
        await renamePasskey(actor, _id, name)
        return {}
      },
    })

  for (const call of [contract.removePasskey, contract.removeDeskPasskey])
    open(app, context, call, {
      ...own,
      audit: ['second-factor.removed'],
      idempotent: true,
      ...notifying(call, 'second-factor.removed'),
      handler: async (actor, { _id }) => {
        await removePasskey(actor, _id)
        return { msg: [sessionTexts.factorRemoved] }
      },
    })
}

export function openFactorResetCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.resetMemberFactors, {
    audit: ['second-factors.reset'],
    idempotent: true,
    notifies: ['second-factor.removed'],
    example: { reason: 'Lost their phone' },
    handler: async (staff, { id, reason }) => {
      await resetMemberFactors(staff, id, reason)
      return { msg: [deskTexts.factorsReset] }
    },
  })

  open(app, context, contract.resetStaffFactors, {
    audit: ['second-factors.reset'],
    idempotent: true,
    example: { reason: 'Lost their phone' },
    handler: async (staff, { id, reason }) => {
      await resetStaffFactors(staff, id, reason)
      return { msg: [deskTexts.factorsReset] }
    },
  })
}
