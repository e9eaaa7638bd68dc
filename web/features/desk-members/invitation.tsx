import { resendMemberInvitation, revokeMemberInvitation } from '@atrium/contract/members/desk-calls.ts'
import { Button } from '@mantine/core'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { type DeskMember, useMemberAct } from './use-members.ts'

/** Shows that the member has no password yet, with the action to send the link. */
export function Invitation({ member, mayInvite }: { member: DeskMember; mayInvite: boolean }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const resend = useMemberAct(resendMemberInvitation, member._id)
  const revoke = useMemberAct(revokeMemberInvitation, member._id)
  const onError = (error: Error) => toast.refused(t(error.message))
  const values = { name: member.name, email: member.email }
  const send = () =>
    resend.mutateAsync({}).then(() => toast.done(t('An invitation is on its way to {{email}}.', values)), onError)
  const stop = async () => {
    const body = t('The link stops working at once. You can send another one later.')
    const title = t('Revoke the invitation of {{name}}?', values)
    if (!(await confirm({ title, body, action: t('Revoke invitation'), isDangerous: true }))) return
    revoke.mutateAsync({}).then(() => toast.done(t('The invitation was revoked.')), onError)
  }
  return (
    <Callout meaning="blue">
      <strong className={parts.noticeTitle}>{t('Invited: no password is set yet')}</strong>
      <p>
        {member.invited_until ? (
          <>
            {t('The link works until')} <Moment at={member.invited_until} />
          </>
        ) : (
          t('There is no open invitation: it has expired or was revoked.')
        )}
      </p>
      {mayInvite && (
        <div data-group="sm" data-above="sm">
          <Button size="xs" variant="default" loading={resend.isPending} onClick={send}>
            {t('Send the invitation again')}
          </Button>
          {member.invited_until && (
            <Button size="xs" variant="default" loading={revoke.isPending} onClick={stop}>
              {t('Revoke invitation')}
            </Button>
          )}
        </div>
      )}
    </Callout>
  )
}
