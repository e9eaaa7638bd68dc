import { profileTexts } from '@atrium/contract/members/texts.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuseFields } from '../foundation/errors.ts'

/** Sets an own upload as the picture. The sweep of unused uploads removes the previous one. */
export async function setMemberPicture(member: Member, mediaId: string): Promise<void> {
  authorize(member, 'profile')
  await inTransaction(member, async (tx) => {
    const before = await lockPicture(tx, member)
    if (before === mediaId) return
    const found = await tx
      .selectFrom('media')
      .select('media_id')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('media_id', '=', mediaId)
      .where('purpose', '=', 'picture')
      .where('kind', '=', 'image')
      .forKeyShare()
      .executeTakeFirst()
    if (!found) refuseFields({ media: [profileTexts.pictureUnknown] })
    await setPicture(tx, member, { before, after: mediaId })
  })
}

export async function removeMemberPicture(member: Member): Promise<void> {
  authorize(member, 'profile')
  await inTransaction(member, async (tx) => {
    const before = await lockPicture(tx, member)
    if (before !== null) await setPicture(tx, member, { before, after: null })
  })
}

async function lockPicture(tx: Tx, member: Member): Promise<string | null> {
  await lockOwnMember(tx, member)
  const { picture_media_id } = await tx
    .selectFrom('members')
    .select('picture_media_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  return picture_media_id
}

type Move = { before: string | null; after: string | null }

async function setPicture(tx: Tx, member: Member, { before, after }: Move): Promise<void> {
  await tx
    .updateTable('members')
    .set({ picture_media_id: after })
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .execute()
  await audit(tx, member, {
    action: after === null ? 'picture.removed' : 'picture.changed',
    subject: { kind: 'member', id: member.memberId },
    before: { picture: before },
    after: { picture: after },
  })
}
