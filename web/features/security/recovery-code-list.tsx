import { Button, Group } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import parts from './recovery-code-list.module.css'

/** Shown once, so the ways to keep them are beside them. */
export function RecoveryCodeList({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    notice.done(t('Text copied to clipboard'), 2000)
  }
  return (
    <div className={parts.body}>
      <p>{t('If you lose your phone or passkey, each of these codes signs you in once. They are not shown again.')}</p>
      <ul className={parts.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group gap="sm" grow>
        <Button variant="default" leftSection={<IconCopy size={18} stroke={1.5} />} onClick={copy}>
          {t('Copy the codes')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.5} />}
          onClick={() => download(text, 'recovery-codes.txt')}
        >
          {t('Download the codes')}
        </Button>
      </Group>
      <Button fullWidth onClick={onKept}>
        {t('I have kept the codes')}
      </Button>
    </div>
  )
}

function download(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
