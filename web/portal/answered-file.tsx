import type { Answered } from '@atrium/contract/forms/calls.ts'
import { AttachmentCard } from '../features/tickets/attachment-card.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

/** A file attached to answers; it may have been deleted since. */
export function AnsweredFile({ file }: { file: Answered['files'][number] | undefined }) {
  const { t } = useTranslation()
  if (!file) return t('This file no longer exists.')
  return (
    <AttachmentCard
      url={file.url}
      name={file.name}
      isPicture={file.is_image}
      sizeBytes={file.size_bytes}
      scan={file.scan}
    />
  )
}
