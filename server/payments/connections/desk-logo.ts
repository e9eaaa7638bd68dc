import type { CallInput } from '@atrium/contract/call.ts'
import type { setProviderLogo as call } from '@atrium/contract/payments/providers.ts'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { refuseUnseen } from '../../foundation/revision.ts'
import { requireProof } from '../../sessions/factors/proof.ts'
import { keepLogoContent, readLogoContent } from '../../workspaces/logo-content.ts'
import { lockProvider } from './locked-provider.ts'

/** The logo that members see. It is not part of the form, so it does not change the form's version. */
export async function setProviderLogo(actor: Staff, { id, logo, seen }: CallInput<typeof call>): Promise<void> {
  authorizeStaff(actor, 'workspace.manage')
  const picture = logo === null ? null : await readLogoContent(logo)
  await inTransaction(actor, async (tx) => {
    const { row } = await lockProvider(tx, actor, id)
    if (picture === null && row.logo_url === null) return
    refuseUnseen(seen, row.logo_url)
    await requireProof(tx, actor)
    const logo_url = picture && (await keepLogoContent(tx, actor, picture))
    await tx
      .updateTable('payment_providers')
      .set({ logo_url })
      .where('workspace_id', '=', actor.workspaceId)
      .where('provider_id', '=', id)
      .execute()
    await audit(tx, actor, {
      action: 'payment-provider.logo-changed',
      subject: { kind: 'payment_provider', id },
      before: { logo_url: row.logo_url },
      after: { logo_url },
    })
  })
}
