import { Button } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useCopy } from '../../ui/feedback/use-copy.ts'
import { downloadText } from '../../ui/files/download-text.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './recovery-code-list.module.css'
import { codesOnce } from './use-codes-guard.ts'

/** The codes are shown only once, with buttons to save them. What shows them asks before they are lost (`useCodesGuard`). */
export function RecoveryCodeList({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  const { copy } = useCopy()
  return (
    <div className={parts.body} data-stack="lg">
      <p>{t(codesOnce)}</p>
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
