import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { report } from '../../api/log.ts'
import { call } from '../../api/transport.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { leave } from '../session-gate.ts'

export function useSignOut(): () => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const router = useRouter()
  return async () => {
    const yes = await confirm({
      title: t('Sign out of the desk?'),
      body: t('Decisions already made go on by themselves.'),
      action: t('Sign out'),
      stay: t('Stay signed in'),
    })
    if (!yes) return
    const { deskSignOut } = await import('@atrium/contract/desk.ts')
    // Whoever wants to leave leaves, also when the server cannot be reached: the token goes with the tab.
    await call(deskSignOut, {}).catch((error: unknown) => report('sign-out.failed', { error: String(error) }))
    leave(router, { isRemembering: false })
  }
}
