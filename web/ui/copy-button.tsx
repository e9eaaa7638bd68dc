import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { notice } from './notice.ts'

/** Copies a value that people carry elsewhere: an IBAN, a reference. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation()
  const label = t('Copy {{name}}', { name })
  return (
    <Copy value={value} timeout={limits.toastShortMs}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('Copied') : label}>
          <ActionIcon
            size={28}
            aria-label={label}
            onClick={() => {
              copy()
              notice.done(t(texts.copied), limits.toastShortMs)
            }}
          >
            {copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  )
}
