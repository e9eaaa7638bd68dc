import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import { Tooltip } from '../tooltip/tooltip.tsx'
import { toast } from './toast.ts'

/** Copies a value such as an IBAN or a reference. Confirms only after success, since a browser may refuse. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation()
  const { copy, copied, error } = useClipboard({ timeout: limits.toastShortMs })
  const label = t('Copy {{name}}', { name })
  useEffect(() => {
    if (copied) toast.done(t(texts.copied), limits.toastShortMs)
  }, [copied, t])
  useEffect(() => {
    if (error) toast.warning(t(texts.copyRefused))
  }, [error, t])
  return (
    <Tooltip label={copied ? t('Copied') : label}>
      <ActionIcon size={28} aria-label={label} onClick={() => copy(value)}>
        {copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
      </ActionIcon>
    </Tooltip>
  )
}
