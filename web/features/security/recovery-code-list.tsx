import { Button } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useCopy } from '../../ui/feedback/use-copy.ts'
import { downloadText } from '../../ui/files/download-text.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './recovery-code-list.module.css'

/** The codes are shown only once, with buttons to save them. */
export function RecoveryCodeList({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  const { copy } = useCopy()
  return (
    <div className={parts.body} data-stack="lg">
      <p>{t('If you lose your phone or passkey, each of these codes signs you in once. They are not shown again.')}</p>
      <ul className={parts.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={parts.ways}>
        <Button variant="default" leftSection={<IconCopy size={18} stroke={1.5} />} onClick={() => copy(text)}>
          {t('Copy the codes')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.5} />}
          onClick={() => downloadText(text, 'recovery-codes.txt', 'text/plain')}
        >
          {t('Download the codes')}
        </Button>
      </div>
      <Button fullWidth onClick={onKept}>
        {t('I have saved the codes')}
      </Button>
    </div>
  )
}
