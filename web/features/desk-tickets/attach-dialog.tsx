import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useAttachForm } from './use-attach-form.ts'

type DialogProps = { ticket: DeskTicket; isOpen: boolean; onClose: () => void }

/** Sends a file to the member; shows it first, because sending cannot be undone. */
export function AttachDialog({ ticket, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const { form, picked, error, pick, discard, close } = useAttachForm(ticket._id, onClose)
  return (
    <CallDialog
      form={form}
      title={t('Attach a file')}
      size={520}
      submit={t('Send to {{name}}', { name: ticket.member.name })}
      isReady={picked !== null}
      isOpen={isOpen}
      onClose={close}
    >
      <DropZone
        label={t('File')}
        rules={uploadPurposes.ticket}
        picked={picked}
        error={error}
        isSentLater
        onPick={pick}
        onRemove={discard}
      />
    </CallDialog>
  )
}
