import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { useUpload } from '../../api/use-upload.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-parts.module.css'
import { attachmentRules, useReply } from './use-ticket-changes.ts'

type DialogProps = { ticketId: string; isOpen: boolean; onClose: () => void }

/** Uploads a file as soon as it is chosen, and attaches it on save. */
export function AttachmentDialog({ ticketId, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const reply = useReply(ticketId)
  const upload = useUpload('ticket')
  const [problem, setProblem] = useState<string | undefined>()
  const { fileId } = upload
  const close = () => {
    upload.remove()
    setProblem(undefined)
    onClose()
  }
  const save = () => {
    if (fileId === null) return
    reply.mutate(
      { type: 'attachment', attachment: fileId },
      {
        onSuccess: () => {
          notice.done(t(ticketTexts.attachmentAdded))
          close()
        },
        onError: (error) => setProblem(error.message),
      },
    )
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('Add Attachment')}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.reply}>
        <DropZone
          label={t('File')}
          rules={attachmentRules}
          picked={upload.picked}
          error={problem ?? upload.error}
          isResting={upload.isResting}
          onPick={(file) => {
            setProblem(undefined)
            upload.pick(file)
          }}
          onRemove={upload.remove}
          onResume={upload.isBroken ? upload.resume : undefined}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button disabled={fileId === null} loading={reply.isPending || upload.isSending} onClick={save}>
            {t('Save')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
