import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { bankAccounts, companyBankAccounts, fundAccounts } from './harbour-money.ts'

type Ids = Record<(typeof bankAccounts | typeof fundAccounts)[number]['owner'], string>
type Picture = { media_id: string; storage_key: string; content: Buffer }

/** The QR code of a wallet. The file is written before its row: a row without a file would be broken. */
export async function writeWalletPicture(system: System): Promise<Picture> {
  const media_id = newId()
  const content = readFileSync(new URL('./receipts/wallet.png', import.meta.url))
  const picture = { media_id, storage_key: `${system.workspaceId}/${media_id}`, content }
  await system.context.files.write(picture.storage_key, content)
  return picture
}

/** The brokerage's bank accounts and the members' beneficiaries; one was added recently and is still in its cooling-off period. */
export async function addBanking(tx: Tx, system: System, ids: Ids, picture: Picture): Promise<void> {
  const base = { workspace_id: system.workspaceId, created_at: system.context.clock.now() }
  for (const account of companyBankAccounts)
    await tx
      .insertInto('company_bank_accounts')
      .values({ ...base, ...account, company_bank_account_id: newId() })
      .execute()
  for (const { owner, ...account } of bankAccounts)
    await tx
      .insertInto('bank_accounts')
      .values({
        ...base,
        ...account,
        bank_account_id: newId(),
        member_id: ids[owner],
        usable_from: base.created_at,
      })
      .execute()
  await addPicture(tx, system, ids.member, picture)
  for (const { owner, picture: named, coolingOffHours, ...account } of fundAccounts)
    await tx
      .insertInto('fund_accounts')
      .values({
        ...base,
        ...account,
        fund_account_id: newId(),
        member_id: ids[owner],
        qr_media_id: named ? picture.media_id : null,
        usable_from: new Date(base.created_at.getTime() + coolingOffHours * 3_600_000),
      })
      .execute()
}

async function addPicture(tx: Tx, system: System, memberId: string, { content, ...picture }: Picture): Promise<void> {
  await tx
    .insertInto('media')
    .values({
      ...picture,
      workspace_id: system.workspaceId,
      member_id: memberId,
      purpose: 'qr',
      kind: 'image',
      name: 'wallet.png',
      extension: 'png',
      content_type: 'image/png',
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest(),
      created_at: system.context.clock.now(),
    })
    .execute()
}
