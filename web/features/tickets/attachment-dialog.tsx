import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { fieldsBy } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useUpload } from '../../forms/use-upload.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { attachmentRules, useReply } from './use-ticket-changes.ts'

type DialogProps = { ticketId: string; isOpen: boolean; onClose: () => void }

const labels = { file: 'File' }

/** Uploads a file as soon as it is chosen, and attaches it on save. */
export function AttachmentDialog({ ticketId, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const reply = useReply(ticketId)
  const upload = useUpload('ticket')
  const { fileId } = upload
  const form = useCallForm({
    start: {},
    labels,
    fieldFor: fieldsBy(labels, { attachment: 'file' }),
    isEdited: () => upload.picked !== null,
    isWaiting: fileId === null,
    send: () => reply.mutateAsync({ type: 'attachment', attachment: fileId ?? '' }),
    onDone: () => {
      toast.done(t(ticketTexts.attachmentAdded))
      close()
    },
    afterDone: 'anew',
  })
  const close = () => {
    upload.remove()
    form.undo()
    onClose()
  }
  return (
    <CallDialog
      form={form}
      title={t('Add Attachment')}
      size={520}
      submit={t('Save')}
      isReady={fileId !== null}
      isOpen={isOpen}
      onClose={close}
    >
      <DropZone
        label={t('File')}
        rules={attachmentRules}
        picked={upload.picked}
        error={form.errorOf('file') ?? upload.error}
        isPaused={upload.isPaused}
        onPick={(file) => {
          form.undo()
          upload.pick(file)
        }}
        onRemove={upload.remove}
        onResume={upload.isBroken ? upload.resume : undefined}
      />
    </CallDialog>
  )
}
