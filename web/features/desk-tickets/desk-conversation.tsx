import { isHeld } from '@atrium/contract/files/calls.ts'
import { bytesPerKb } from '@atrium/contract/limits.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { fileAddress } from '../../api/address.ts'
import { ReleaseFile } from '../../forms/release-file.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Thumbnail } from '../../ui/files/thumbnail.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-desk.module.css'

type Entry = DeskTicket['conversation'][number]

/** Messages and internal notes, oldest first; notes are marked. */
export function DeskConversation({ ticket }: { ticket: DeskTicket }) {
  const { t } = useTranslation()
  const first: Entry = {
    ...{ _id: ticket._id, kind: 'message', content: ticket.description, attachment: null, by: null },
    at: ticket.created_at,
  }
  return (
    <ol data-stack="md" aria-label={t('Conversation')}>
      {[first, ...ticket.conversation].map((entry) => (
        <li key={entry._id} className={`${parts.entry} ${classOf(entry)}`}>
          <Message entry={entry} memberName={ticket.member.name} />
        </li>
      ))}
    </ol>
  )
}

function classOf({ kind, by }: Entry): string {
  if (kind === 'note') return parts.note ?? ''
  return (by ? parts.ofStaff : '') ?? ''
}

function Message({ entry, memberName }: { entry: Entry; memberName: string }) {
  const { t } = useTranslation()
  const { attachment, kind } = entry
  return (
    <>
      <div className={parts.by}>
        <span>
          <strong>
            <bdi>{entry.by?.name ?? memberName}</bdi>
          </strong>{' '}
          {kind === 'note' && <Tag label={t('Internal note')} />}
          {kind === 'merged' && <Tag label={t('Merged ticket')} />}
        </span>
        <Moment at={entry.at} />
      </div>
      {entry.content && <p className={parts.words}>{entry.content}</p>}
      {attachment && (
        <a className={parts.file} href={fileAddress(attachment.url)} target="_blank" rel="noreferrer">
          <Thumbnail
            src={fileAddress(attachment.url)}
            isPicture={attachment.is_image && !isHeld(attachment.scan)}
            className={parts.thumbnail}
          />
          <span>
            {attachment.name} {'\u00b7'} {t('{{size}} KB', { size: Math.round(attachment.size_bytes / bytesPerKb) })}
            {!attachment.is_unscannable && <ScanMark scan={attachment.scan} />}
          </span>
        </a>
      )}
      {attachment && <ReleaseFile file={attachment} />}
    </>
  )
}
