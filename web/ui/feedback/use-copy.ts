import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useClipboard } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import { toast } from './toast.ts'

/** Copies a text, and says whether it was copied: a browser may refuse, and over HTTP there is no clipboard. */
export function useCopy(): { copy: (text: string) => void; copied: boolean } {
  const { t } = useTranslation()
  const { copy, copied, error } = useClipboard({ timeout: limits.toastShortMs })
  useEffect(() => {
    if (copied) toast.done(t(texts.copied), limits.toastShortMs)
  }, [copied, t])
  useEffect(() => {
    if (error) toast.warning(t(texts.copyRefused))
  }, [error, t])
  return { copy, copied }
}
