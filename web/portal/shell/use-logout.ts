import { texts } from '@atrium/contract/texts.ts'
import { useRouter } from '@tanstack/react-router'
import { paths } from '../../api/first-calls.ts'
import { signOutOnServer } from '../../api/sign-out.ts'
import { portalSession } from '../../features/session/portal-session.ts'
import { announceLogout } from '../../features/session/tabs-channel.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { leave } from '../session-gate.ts'
import { unsentInputStore } from './unsent-input-store.ts'

export function useLogout(): () => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const router = useRouter()
  return async () => {
    const yes = await confirm({
      title: t(texts.logoutConfirm),
      action: t('Logout'),
      stay: t('Stay signed in'),
      isYesUnasked: true,
    })
    if (!yes) return
    // Signs out here immediately, even when the server cannot be reached.
    unsentInputStore.forget()
    announceLogout(portalSession)
    void signOutOnServer(portalSession, paths.signOut)
    leave(router, { isRemembering: false })
  }
}
