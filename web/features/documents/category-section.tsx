import type { FileCategory } from '@atrium/contract/documents/calls.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { Button } from '@mantine/core'
import { IconFile, IconFileTypePdf, IconPhoto, IconPlus } from '@tabler/icons-react'
import { fileAddress } from '../../api/address.ts'
import { serverNow } from '../../api/transport.ts'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import rowParts from '../../ui/lists/rows.module.css'
import { calendarDay, fileSize } from '../../ui/text/format.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { expiryOf, labelsOfStatus, noteOf } from './document-labels.ts'
import parts from './documents.module.css'
import type { MemberDocument } from './use-documents.ts'

type CategorySectionProps = {
  category: FileCategory
  documents: MemberDocument[]
  /** Absent when the category is no longer offered. */
  onAdd?: (() => void) | undefined
  isPaused: boolean
  /** The time zone in which documents expire. */
  zone: string | undefined
}

export function CategorySection({ category, documents, onAdd, isPaused, zone }: CategorySectionProps) {
  const { t } = useTranslation()
  const more = onAdd && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
      disabled={isPaused}
      aria-label={t('Add a file: {{name}}', { name: category.name })}
      onClick={onAdd}
    >
      {t('Add a file')}
    </Button>
  )
  return (
    <Section title={category.name} more={more}>
      {category.description && <p className={parts.help}>{category.description}</p>}
      <Card>
        {documents.length === 0 ? (
          <p className={parts.none}>{t(documentTexts.none)}</p>
        ) : (
          <ul className={rowParts.list}>
            {documents.map((document) => (
              <DocumentRow key={document._id} document={document} zone={zone} />
            ))}
          </ul>
        )}
      </Card>
    </Section>
  )
}

const icons: Record<string, typeof IconFile> = { pdf: IconFileTypePdf, png: IconPhoto, jpg: IconPhoto, jpeg: IconPhoto }

function DocumentRow({ document, zone }: { document: MemberDocument; zone: string | undefined }) {
  const { t } = useTranslation()
  const Icon = icons[document.extension] ?? IconFile
  const { meaning, label } = labelsOfStatus(document.status)
  const note = noteOf(document)
  const kind = document.file_category_object.valid_documents.find(({ _id }) => _id === document.valid_document)
  const expiry = expiryOf(document, serverNow(), zone)
  return (
    <li className={`${rowParts.row} ${rowParts.wrapping}`}>
      <Icon size={20} stroke={1.5} className={rowParts.icon} aria-hidden />
      <span className={rowParts.grow}>
        <a className={parts.title} href={fileAddress(document.url)} target="_blank" rel="noreferrer">
          {document.title}
        </a>
        <span className={parts.note}>
          <Moment at={document.publish_date} />
          {[kind?.name, fileSize(document.size_bytes)].filter(Boolean).map((part) => ` · ${part}`)}
        </span>
        <ScanMark scan={document.scan} />
        {note && <span className={parts.note}>{t(note)}</span>}
        {document.expires_on && (
          <span className={parts.note}>
            {t('Valid until {{day}}', { day: calendarDay(document.expires_on) })}
            {zone && ` (${zone.replaceAll('_', ' ')})`}
          </span>
        )}
      </span>
      <span className={parts.marks}>
        {expiry === 'soon' && <Tag label={t('Renew soon')} isStrong />}
        {expiry === 'over' && <Tag label={t('Expired')} isStrong />}
        <StatusPill meaning={meaning} label={t(label)} />
      </span>
    </li>
  )
}
