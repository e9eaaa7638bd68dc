import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useConfirm } from './confirm.tsx'

type GuardSettings = {
  isDirty: boolean
  /** Addresses under which the form stays as it is. */
  staysAt: (path: string) => boolean
}

/** Asks before a filled form is left, by a link, by going back, or by closing the page. */
export function useUnsavedGuard({ isDirty, staysAt }: GuardSettings): void {
  const { t } = useTranslation()
  const confirm = useConfirm()
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ next }) => {
      if (staysAt(next.pathname)) return false
      const leaves = await confirm({
        title: t('Do you want to exit before saving?'),
        body: t('What you have filled in will be lost.'),
        action: t('Exit'),
        stay: t('Stay'),
      })
      return !leaves
    },
  })
}
