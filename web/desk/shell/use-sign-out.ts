import { deskSignOut } from '@atrium/contract/sessions/desk-calls.ts'
import { useRouter } from '@tanstack/react-router'
import { signOutOnServer } from '../../api/sign-out.ts'
import { deskSession } from '../../features/desk-session/desk-session.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { leave } from '../session-gate.ts'

export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const router = useRouter()
  return async () => {
    const yes = await confirm({
      title: t('Sign out of the desk?'),
      body: t('Saved decisions are still processed.'),
      action: t('Sign out'),
      stay: t('Stay signed in'),
      isYesUnasked: true,
    })
    if (!yes) return
    // Signs out locally without waiting for the server, which may be unreachable.
    void signOutOnServer(deskSession, deskSignOut.path)
    leave(router, { isRemembering: false })
  }
}
