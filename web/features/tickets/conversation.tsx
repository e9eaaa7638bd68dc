import { fileAddress } from '../../api/address.ts'
import { Portrait } from '../../ui/layout/portrait.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AttachmentCard } from './attachment-card.tsx'
import parts from './ticket-parts.module.css'
import type { Entry } from './use-tickets.ts'

/** The messages, oldest first. Staff answers show the author's name. */
export function Conversation({ entries }: { entries: Entry[] }) {
  const { t } = useTranslation()
  if (entries.length === 0) return <p className={parts.nothing}>{t('No replies yet.')}</p>
  return (
    <ol data-stack="lg" aria-live="polite">
      {entries.map((entry) => (
        <li key={entry.uid} data-group="md" data-nowrap data-align="start">
          <Message entry={entry} />
        </li>
      ))}
    </ol>
  )
}

function Message({ entry: { created_by, created_at, content, attachment, is_staff } }: { entry: Entry }) {
  const { t } = useTranslation()
  const { name, profile_pic } = created_by
  return (
    <>
      <Portrait name={name} url={profile_pic && fileAddress(profile_pic.url)} />
      <div className={`${parts.bubble} ${is_staff ? parts.ofStaff : ''}`}>
        <div className={parts.by}>
          <span className={parts.name}>{is_staff ? name : t('You')}</span>
          <Moment at={created_at} />
        </div>
        {content && <p className={parts.words}>{content}</p>}
        {attachment && (
          <AttachmentCard
            url={attachment.url}
            name={attachment.name}
            isPicture={attachment.type === 'image'}
            sizeBytes={attachment.size_bytes}
            scan={attachment.scan}
          />
        )}
      </div>
    </>
  )
}
