import { pdfFramePath } from '@atrium/contract/files/pdf-frame.ts'
import { ActionIcon, Skeleton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Callout } from '../feedback/state.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { pagesMax } from './pdf-labels.ts'
import parts from './sheet.module.css'
import { SheetTools } from './sheet-tools.tsx'
import { usePdfFrame } from './use-pdf-frame.ts'
import type { Sheet } from './use-sheet.ts'

export const pdfScales: readonly number[] = [0.5, 0.75, 1, 1.5, 2, 3, 4]

type PdfSheetsProps = { file: Blob; sheet: Sheet; title: string; className: string | undefined }

/** A PDF, rendered page by page in a frame without an origin: a malicious file cannot reach the staff app. */
export function PdfSheets({ file, sheet, title, className = '' }: PdfSheetsProps) {
  const { t } = useTranslation()
  const { seen, sendStart, go } = usePdfFrame(file, sheet)
  if (seen.state === 'locked')
    return <Callout meaning="grey">{t('This PDF requires a password. Download it to open it.')}</Callout>
  if (seen.state === 'broken')
    return <Callout meaning="grey">{t('This PDF cannot be shown here: it may be damaged. Download it.')}</Callout>
  return (
    <>
      <SheetTools sheet={sheet}>
        {seen.state === 'opened' && <Pages page={seen.page} pages={seen.pages} onGo={go} />}
      </SheetTools>
      {seen.state === 'opened' && seen.pages > pagesMax && (
        <Callout meaning="grey">
          {t('The first {{count}} pages are shown here. Download it to see all.', { count: pagesMax })}
        </Callout>
      )}
      <div className={`${parts.sheets} ${className}`}>
        <iframe
          src={pdfFramePath}
          title={title}
          sandbox="allow-scripts"
          onLoad={({ currentTarget: { contentWindow } }) => contentWindow && sendStart(contentWindow)}
        />
        {seen.state === 'opening' && <Skeleton className={parts.skeleton ?? ''} />}
      </div>
    </>
  )
}

type PagesProps = { page: number; pages: number; onGo: (page: number) => void }

function Pages({ page, pages, onGo }: PagesProps) {
  const { t } = useTranslation()
  const last = Math.min(pages, pagesMax)
  return (
    <div className={parts.pages}>
      <output aria-label={t('Page')}>{t('Page {{page}} of {{pages}}', { page, pages })}</output>
      {pages > 1 && (
        <>
          <ActionIcon aria-label={t('Previous page')} disabled={page <= 1} onClick={() => onGo(page - 1)}>
            <IconChevronUp size={18} stroke={1.5} />
          </ActionIcon>
          <ActionIcon aria-label={t('Next page')} disabled={page >= last} onClick={() => onGo(page + 1)}>
            <IconChevronDown size={18} stroke={1.5} />
          </ActionIcon>
        </>
      )}
    </div>
  )
}
