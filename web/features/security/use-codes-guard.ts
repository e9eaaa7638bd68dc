import { type UnsavedGuard, useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'

export const codesOnce =
  'If you lose your phone or passkey, each of these codes signs you in once. They are not shown again.'

/** Asks before the page is left or reloaded while recovery codes are shown that are not saved yet. */
export function useCodesGuard(areShown: boolean): UnsavedGuard {
  const { t } = useTranslation()
  return useUnsavedGuard({ isDirty: areShown, body: t(codesOnce) })
}
