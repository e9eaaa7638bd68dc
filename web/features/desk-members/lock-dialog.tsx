import { lockMember } from '@atrium/contract/members/desk-calls.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { type DeskMember, useMemberAct } from './use-members.ts'

export function LockDialog({ member, onClose }: { member: DeskMember; onClose: () => void }) {
  const { t } = useTranslation()
  const lock = useMemberAct(lockMember, member._id)
  return (
    <ReasonDialog
      title={t('Lock the sign-in of {{name}}?', member)}
      consequence={t(
        'Every device is signed out at once, open reset links stop working, and nobody can sign in until you unlock it. The member is notified by email, without the reason.',
      )}
      reasonHelp={t('Visible to staff only.')}
      action={t('Lock sign-in')}
      notNow={t('Not now')}
      start={{}}
      send={lock.mutateAsync}
      done={t('{{name}} is locked and signed out everywhere.', member)}
      onClose={onClose}
    />
  )
}
