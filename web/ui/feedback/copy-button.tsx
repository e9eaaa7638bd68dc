import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from '../text/use-translation.ts'
import { Tooltip } from '../tooltip/tooltip.tsx'
import { useCopy } from './use-copy.ts'

/** Copies a value such as an IBAN or a reference. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation()
  const { copy, copied } = useCopy()
  const label = t('Copy {{name}}', { name })
  return (
    <Tooltip label={copied ? t('Copied') : label}>
      <ActionIcon size={28} aria-label={label} onClick={() => copy(value)}>
        {copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
      </ActionIcon>
    </Tooltip>
  )
}
