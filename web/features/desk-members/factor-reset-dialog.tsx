import { resetMemberFactors } from '@atrium/contract/sessions/security.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { type DeskMember, useMemberAct } from './use-members.ts'

/** For a member who lost phone and recovery codes. The server requires a fresh proof, which the desk's frame asks for. */
export function FactorResetDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const reset = useMemberAct(resetMemberFactors, member._id)
  return (
    <ReasonDialog
      title={t('Reset the second factor of {{name}}?', { name: member.name })}
      consequence={t(
        'App, passkeys and recovery codes stop working, every device is signed out, and the password alone is enough to sign in until a new second factor is set up. Withdrawals are held for the time in your settings, if these require it. The member is notified by email. Make sure that the request comes from the member.',
      )}
      reasonHelp={t('Visible to staff only, for example how you verified the request.')}
      action={t('Reset second factor')}
      notNow={t('Not now')}
      start={{}}
      send={reset.mutateAsync}
      done={t('The second factor of {{name}} was removed. They are notified by email.', { name: member.name })}
      onClose={onClose}
    />
  )
}
