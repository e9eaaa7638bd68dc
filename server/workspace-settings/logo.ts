import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { refuseUnseen } from '../foundation/revision.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { lockWorkspace, store } from '../workspaces/choices.ts'
import { keepLogoContent, readLogoContent } from '../workspaces/logo-content.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { describe } from './change.ts'

/** The logo on the page, if it says so. */
type Seen = string | null | undefined

/** Sets the logo of sign-in screen, portal and mails. Older logos stay, because sent mails show them. */
export async function setLogo(actor: Staff, logo: string | null, seen?: Seen) {
  authorizeStaff(actor, 'workspace.manage')
  const picture = logo === null ? null : await readLogoContent(logo)
  return inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    const before = (await describe(tx, actor)).logo_url
    refuseUnseen(seen, before)
    await requireProof(tx, actor)
    const logo_url = picture && (await keepLogoContent(tx, actor, picture))
    await tx.updateTable('workspaces').set({ logo_url }).where('workspace_id', '=', actor.workspaceId).execute()
    await audit(tx, actor, {
      action: 'workspace.logo-changed',
      subject: { kind: 'workspace', id: actor.workspaceId },
      before: { logo_url: before },
      after: { logo_url },
    })
    return describe(tx, actor)
  })
}

/** Sets a vendor's logo; a vendor without one uses the workspace's. */
export async function setVendorLogo(
  actor: Staff,
  { vendor, logo, seen }: { vendor: string; logo: string | null; seen?: Seen },
) {
  authorizeStaff(actor, 'workspace.manage')
  const picture = logo === null ? null : await readLogoContent(logo)
  return inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    const { vendors, settings } = await readWorkspace(tx, actor)
    if (!vendors.includes(vendor)) refuseFields({ vendor: [deskTexts.entryUnknown] })
    const settingsOfVendors = new Map(Object.entries(settings.vendor_settings))
    const { logo_url: before, ...others } = settingsOfVendors.get(vendor) ?? {}
    if (picture === null && before === undefined) return describe(tx, actor)
    refuseUnseen(seen, before ?? null)
    await requireProof(tx, actor)
    const after = picture && (await keepLogoContent(tx, actor, picture))
    settingsOfVendors.set(vendor, after === null ? others : { ...others, logo_url: after })
    await store(tx, actor, { settings: { vendor_settings: Object.fromEntries(settingsOfVendors) } })
    await audit(tx, actor, {
      action: 'vendor.logo-changed',
      subject: { kind: 'workspace', id: actor.workspaceId },
      before: { vendor, logo_url: before ?? null },
      after: { vendor, logo_url: after },
    })
    return describe(tx, actor)
  })
}
