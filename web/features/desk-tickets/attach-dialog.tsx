import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { useRef, useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { fileProblem } from '../../ui/files/file-rules.ts'
import type { PickedFile } from '../../ui/files/picked-file.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useAttaching } from './use-desk-tickets.ts'

type DialogProps = { ticket: DeskTicket; isOpen: boolean; onClose: () => void }

/** Sends a file to the member; shows it first, because sending cannot be undone. */
export function AttachDialog({ ticket, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const running = useRef<AbortController | null>(null)
  const attaching = useAttaching(ticket._id, (share) => setPicked((before) => before && { ...before, share }))
  const form = useCallForm({
    start: {},
    labels: { file: 'File' },
    isEdited: () => picked !== null,
    isWaiting: picked === null,
    send: async () => {
      if (!picked) return null
      running.current = new AbortController()
      const { signal } = running.current
      return attaching.mutateAsync({ file: picked.file, signal }).catch((error: unknown) => {
        // A cancelled upload needs no message.
        if (signal.aborted) return null
        throw error
      })
    },
    onDone: (sent) => sent && close(),
    onRefused: () => setPicked(null),
    afterDone: 'anew',
  })
  const discard = () => {
    running.current?.abort()
    setPicked(null)
    setProblem(undefined)
    form.undo()
  }
  const close = () => {
    discard()
    onClose()
  }
  const pick = (file: File) => {
    const found = fileProblem(file, uploadPurposes.ticket)
    form.undo()
    setProblem(found ? t(found.text, found.values) : undefined)
    setPicked(found ? null : { file, share: 0, isSent: false })
  }
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
        error={problem ?? form.errorOf('file')}
        isSentLater
        onPick={pick}
        onRemove={discard}
      />
    </CallDialog>
  )
}
